import {
  type Address,
  type EncodedAccount,
  getAddressDecoder,
  getBase58Decoder,
  getCompiledTransactionMessageDecoder,
  type MaybeEncodedAccount,
  type Transaction,
} from '@solana/kit'
import { FailedTransactionMetadata, type LiteSVM } from 'litesvm'
import { readDecimals, readTokenAccount, showTokenAmount } from './tokenAccounts.js'
import { readTransactionError, type TransactionErrorJson } from './transactionError.js'

/** What a transaction did, whether it succeeded or failed. */
export type Execution = {
  error: TransactionErrorJson | undefined
  fee: bigint
  computeUnits: bigint
  logs: string[]
  pre: MaybeEncodedAccount[]
  post: MaybeEncodedAccount[]
  preTokenBalances: unknown[]
  postTokenBalances: unknown[]
  /** For each instruction, those that its program has called. */
  inner: InnerInstruction[][]
}

/** An instruction that a program has called. Its indexes are those of the transaction's accounts. */
export type InnerInstruction = {
  programIdIndex: number
  accounts: number[]
  data: Uint8Array
  stackHeight: number
}

const messageDecoder = getCompiledTransactionMessageDecoder()
/** Where the addresses of a lookup table begin. */
const tableHeader = 56

/** Returns the signature that identifies a transaction: the one of its fee payer. */
export const signatureOf = ({ signatures }: Transaction): string => {
  const [first] = Object.values(signatures)
  return getBase58Decoder().decode(first ?? new Uint8Array(64))
}

/** Whether every signer has signed, rightly or not. */
export const isSigned = ({ signatures }: Transaction): boolean =>
  Object.values(signatures).every((signature) => signature?.some((byte) => byte > 0))

/** Reads the accounts of a transaction, those of lookup tables included, and its blockhash. */
export const readMessage = (
  machine: LiteSVM,
  { messageBytes }: Transaction,
): { accounts: Address[]; blockhash: string } => {
  const message = messageDecoder.decode(messageBytes)
  const tables = 'addressTableLookups' in message ? (message.addressTableLookups ?? []) : []
  const pick = (table: Address, indexes: readonly number[]): Address[] => {
    const found = machine.getAccount(table)
    return indexes.flatMap((index) =>
      found.exists ? [getAddressDecoder().decode(found.data, tableHeader + 32 * index)] : [],
    )
  }
  const writable = tables.flatMap((each) => pick(each.lookupTableAddress, each.writableIndexes))
  const readonly = tables.flatMap((each) => pick(each.lookupTableAddress, each.readonlyIndexes))
  return {
    accounts: [...message.staticAccounts, ...writable, ...readonly],
    blockhash: String(message.lifetimeToken),
  }
}

const showTokens = (machine: LiteSVM, accounts: readonly MaybeEncodedAccount[]): unknown[] =>
  accounts.flatMap((account, accountIndex) => {
    const tokens = readTokenAccount(account)
    if (!tokens) return []
    const { mint, owner, programAddress: programId, amount } = tokens
    const uiTokenAmount = showTokenAmount(amount, readDecimals(machine.getAccount(mint)))
    return [{ accountIndex, mint, owner, programId, uiTokenAmount }]
  })

const sumOf = (accounts: readonly MaybeEncodedAccount[]): bigint =>
  balancesOf(accounts).reduce((sum, lamports) => sum + lamports, 0n)

/** Runs a transaction. Returns `undefined` if it could not even pay its fee, so that no block includes it. */
export const execute = (
  machine: LiteSVM,
  transaction: Transaction,
  accounts: readonly Address[],
): Execution | undefined => {
  const readAll = () => accounts.map((address) => machine.getAccount(address))
  const pre = readAll()
  const preTokenBalances = showTokens(machine, pre)
  const result = machine.sendTransaction(transaction)
  const post = readAll()
  const isFailed = result instanceof FailedTransactionMetadata
  // Lamports that are gone are the fee.
  const fee = sumOf(pre) - sumOf(post)
  if (fee === 0n) return undefined
  const meta = isFailed ? result.meta() : result
  return {
    ...{ pre, post, preTokenBalances, postTokenBalances: showTokens(machine, post) },
    error: isFailed ? readTransactionError(result.toString()) : undefined,
    fee,
    computeUnits: meta.computeUnitsConsumed(),
    logs: meta.logs(),
    inner: meta.innerInstructions().map((called) =>
      called.map((each) => {
        const instruction = each.instruction()
        return {
          ...{ programIdIndex: instruction.programIdIndex(), accounts: [...instruction.accounts()] },
          ...{ data: instruction.data(), stackHeight: each.stackHeight() },
        }
      }),
    ),
  }
}

/** What a transaction would do. */
export type Simulation = {
  error: TransactionErrorJson | undefined
  logs: string[]
  computeUnits: bigint
  accounts: EncodedAccount[]
}

/** Runs a transaction without a trace. Its signatures are checked only if it `isVerified`. */
export const simulate = (machine: LiteSVM, transaction: Transaction, isVerified: boolean): Simulation => {
  machine.withSigverify(isVerified)
  try {
    const result = machine.simulateTransaction(transaction)
    const isFailed = result instanceof FailedTransactionMetadata
    const meta = result.meta()
    return {
      error: isFailed ? readTransactionError(result.toString()) : undefined,
      logs: meta.logs(),
      computeUnits: meta.computeUnitsConsumed(),
      accounts: isFailed ? [] : result.postAccounts(),
    }
  } finally {
    machine.withSigverify(true)
  }
}

/** Returns the lamports of accounts. */
export const balancesOf = (accounts: readonly MaybeEncodedAccount[]): bigint[] =>
  accounts.map((account) => (account.exists ? account.lamports : 0n))
