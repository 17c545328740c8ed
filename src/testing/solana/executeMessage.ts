import type { Instruction, Message } from '../../chain/solana/message.js'
import { readTransfer, type Transfer } from '../../chain/solana/transfer.js'
import { programs } from '../../engine/solana/orderAccounts.js'
import type { Bank } from '../evm/createBank.js'
import { solanaCurrencies, token2022 } from './network.js'
import type { MintLedger, Outcome } from './testSolana.js'

/** The fee of one signature. @units lamports */
export const feePerSignature = 5_000n
/** The least that an account without data holds. @units lamports */
export const rentLamports = 890_880n
/** The least that a token account holds. @units lamports */
const tokenRentLamports = 2_039_280n

const solDecimals = 9
/** The chain id under which the bank keeps the balances of the cluster. */
export const solanaId = 0

/** The state of the cluster that transactions change. */
export type SolanaState = {
  bank: Bank<string>
  mints: MintLedger
  /** The owners of token accounts, by the address of the account. */
  owners: Map<string, string>
}

/** A failure of an instruction: the error in its program's logs, and as nodes write it. */
class InstructionFailure extends Error {
  readonly err: unknown
  readonly lines: readonly string[]

  constructor(err: unknown, lines: readonly string[]) {
    super('the instruction failed')
    this.err = err
    this.lines = lines
  }
}

const insufficient = { Custom: 1 }

const invoke = (program: string, lines: readonly string[]): string[] => [
  `Program ${program} invoke [1]`,
  ...lines,
  `Program ${program} success`,
]

const placeOf = (owner: string, token?: string) => ({ chainId: solanaId, owner, token })

const countLamports = ({ bank }: SolanaState, owner: string): bigint => bank.get(placeOf(owner), solDecimals)

const moveLamports = (state: SolanaState, { from, recipient, units }: Transfer): void => {
  const held = countLamports(state, from)
  if (held < units)
    throw new InstructionFailure(insufficient, [`Transfer: insufficient lamports ${held}, need ${units}`])
  state.bank.set(placeOf(from), held - units)
  state.bank.set(placeOf(recipient), countLamports(state, recipient) + units)
}

const tooFew = new InstructionFailure(insufficient, [
  'Program log: Instruction: TransferChecked',
  'Program log: Error: insufficient funds',
])

const moveTokens = ({ bank, mints, owners }: SolanaState, transfer: Transfer): void => {
  const { from, units, mint = '' } = transfer
  const recipient = owners.get(transfer.recipient) ?? transfer.recipient
  const currency = solanaCurrencies.find((known) => known.mint === mint)
  if (currency) {
    const [payer, payee] = [placeOf(from, mint), placeOf(recipient, mint)]
    const held = bank.get(payer, currency.decimals)
    if (held < units) throw tooFew
    bank.set(payer, held - units)
    bank.set(payee, bank.get(payee, currency.decimals) + units)
    return
  }
  const token = mints.find(mint)
  if (token?.owner !== from || units !== 1n) throw tooFew
  mints.put({ ...token, owner: recipient })
}

/** Opens the account in which an owner holds a token, at the payer's expense. */
const openTokens = (state: SolanaState, { accounts, data }: Instruction): void => {
  const [payer, account, owner] = accounts
  if (payer === undefined || account === undefined || owner === undefined) return
  const isKnown = state.owners.has(account)
  if (isKnown && data[0] === 1) return
  moveLamports(state, { from: payer, recipient: account, units: tokenRentLamports, others: [] })
  state.owners.set(account, owner)
}

/** Reads a transfer, also one of the collections' tokens, whose program writes it in the same way. */
const readMove = (instruction: Instruction): Transfer | undefined =>
  readTransfer(instruction.program === token2022 ? { ...instruction, program: programs.token } : instruction)

const run = (state: SolanaState, instruction: Instruction): { lines: string[]; transfer?: Transfer } => {
  const { program, data } = instruction
  if (program === programs.memo) {
    const text = new TextDecoder().decode(data)
    return { lines: [`Program log: Memo (len ${data.length}): ${JSON.stringify(text)}`] }
  }
  if (program === programs.associatedToken) openTokens(state, instruction)
  const transfer = readMove(instruction)
  if (!transfer) return { lines: [] }
  if (transfer.mint === undefined) moveLamports(state, transfer)
  else moveTokens(state, transfer)
  return { lines: transfer.mint === undefined ? [] : ['Program log: Instruction: TransferChecked'], transfer }
}

const toFailure = (error: unknown): InstructionFailure => {
  if (error instanceof InstructionFailure) return error
  throw error
}

/** Finds an account that would be left with less than its rent. */
const findPoorAccount = (state: SolanaState, { signers }: Message, transfers: readonly Transfer[]) => {
  const touched = [
    ...new Set([
      ...signers.slice(0, 1),
      ...transfers.flatMap(({ from, recipient, mint }) => (mint === undefined ? [from, recipient] : [])),
    ]),
  ]
  const index = touched.findIndex((address) => {
    const held = countLamports(state, address)
    return held > 0n && held < rentLamports
  })
  return index < 0 ? undefined : index
}

const runAll = (state: SolanaState, message: Message): Outcome => {
  const logs: string[] = []
  const transfers: Transfer[] = []
  for (const [index, instruction] of message.instructions.entries()) {
    const { program } = instruction
    try {
      const { lines, transfer } = run(state, instruction)
      logs.push(...invoke(program, lines))
      if (transfer) transfers.push(transfer)
    } catch (error) {
      const { err, lines } = toFailure(error)
      logs.push(`Program ${program} invoke [1]`, ...lines)
      logs.push(`Program ${program} failed: custom program error: 0x1`)
      return { err: { InstructionError: [index, err] }, logs, transfers: [] }
    }
  }
  const poor = findPoorAccount(state, message, transfers)
  if (poor === undefined) return { err: null, logs, transfers }
  return { err: { InsufficientFundsForRent: { account_index: poor } }, logs, transfers: [] }
}

/** Returns the outcome of a transaction that a test makes fail. */
const failWith = (reason: string, { instructions: [first] }: Message): Outcome => {
  const program = first?.program ?? programs.system
  const logs = [
    `Program ${program} invoke [1]`,
    `Program log: Error: ${reason}`,
    `Program ${program} failed: custom program error: 0x1`,
  ]
  return { err: { InstructionError: [0, insufficient] }, logs, transfers: [] }
}

/**
 * Runs a message: its fee, and its transfers of SOL and of tokens, all or none. The fee is paid for a failure too.
 * An instruction of any other program does nothing.
 */
export const executeMessage = (state: SolanaState, message: Message, failsWith?: string): Outcome => {
  const [feePayer = ''] = message.signers
  const fee = feePerSignature * BigInt(message.signers.length)
  const held = countLamports(state, feePayer)
  if (held < fee) {
    const err = held === 0n ? 'AccountNotFound' : 'InsufficientFundsForFee'
    return { err, logs: [], transfers: [] }
  }
  state.bank.set(placeOf(feePayer), held - fee)
  const owners = new Map(state.owners)
  const undo = [state.bank.save(), state.mints.save()]
  const outcome =
    failsWith === undefined ? runAll({ ...state, owners }, message) : failWith(failsWith, message)
  if (outcome.err !== null) for (const restore of undo) restore()
  else for (const [account, owner] of owners) state.owners.set(account, owner)
  return outcome
}
