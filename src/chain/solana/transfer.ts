import { programs } from '../../engine/solana/orderAccounts.js'
import { decodeMessage, type Instruction, type Message } from './message.js'

/** Reads an unsigned integer, the lowest byte first. */
export const readInteger = (data: Uint8Array, at: number, length: number): bigint => {
  let value = 0n
  for (let index = length - 1; index >= 0; index--) value = (value << 8n) | BigInt(data[at + index] ?? 0)
  return value
}

const kinds = { transferSol: 2, transferChecked: 12 } as const

/**
 * A transfer of SOL or of a token. `others` are the accounts that it names beside its own.
 *
 * @units `units` is in lamports, or in base units of the token.
 */
export type Transfer = {
  from: string
  recipient: string
  units: bigint
  others: readonly string[]
  mint?: string | undefined
  decimals?: number
}

/** Reads an instruction as a transfer; undefined if it is anything else. */
export const readTransfer = ({ program, accounts, data }: Instruction): Transfer | undefined => {
  if (program === programs.system) {
    const [from, recipient, ...others] = accounts
    const isTransfer = data.length === 12 && readInteger(data, 0, 4) === BigInt(kinds.transferSol)
    if (!isTransfer || from === undefined || recipient === undefined) return undefined
    return { from, recipient, units: readInteger(data, 4, 8), others }
  }
  if (program !== programs.token) return undefined
  const [source, mint, recipient, from, ...others] = accounts
  const isTransfer = data.length === 10 && data[0] === kinds.transferChecked
  if (!isTransfer || source === undefined || recipient === undefined || from === undefined) return undefined
  return { from, recipient, units: readInteger(data, 1, 8), others, mint, decimals: data[9] ?? 0 }
}

const decode = (message: Uint8Array): Message | undefined => {
  try {
    return decodeMessage(message)
  } catch {
    return undefined
  }
}

const listTransfers = (message: Message | undefined): Transfer[] =>
  message?.instructions.flatMap((instruction) => readTransfer(instruction) ?? []) ?? []

const isSameTransfer = (one: Transfer, other: Transfer): boolean =>
  one.from === other.from &&
  one.recipient === other.recipient &&
  one.units === other.units &&
  one.mint === other.mint &&
  one.others.every((account) => other.others.includes(account))

/** Whether a message makes the same payment as another, whatever else a wallet has added to it. */
export const isSamePayment = (asked: Uint8Array, sent: Uint8Array): boolean => {
  const [wanted] = listTransfers(decode(asked))
  return (
    wanted !== undefined && listTransfers(decode(sent)).some((transfer) => isSameTransfer(wanted, transfer))
  )
}

/**
 * Whether a signed message makes the payment that was asked for, once, and runs out no later. A wallet may have added
 * a fee.
 */
export const isUnchangedPayment = (asked: Uint8Array, signed: Uint8Array): boolean => {
  const [before, after] = [decode(asked), decode(signed)]
  const [wanted] = listTransfers(before)
  if (!before || !after || !wanted || before.blockhash !== after.blockhash) return false
  // Its first signature names the transaction, and only the payer's is known to the caller.
  if (after.signers[0] !== before.signers[0]) return false
  const [transfer, second] = listTransfers(after).filter(({ recipient }) => recipient === wanted.recipient)
  return transfer !== undefined && second === undefined && isSameTransfer(wanted, transfer)
}

/** Whether a message lists an account. One that cannot be decoded may list any. */
export const namesAccount = (message: Uint8Array, account: string): boolean =>
  decode(message)?.accounts.includes(account) ?? true
