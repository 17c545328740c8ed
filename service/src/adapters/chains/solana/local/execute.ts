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
import { settleNonces } from './durableNonce.js'
import { readDecimals, readTokenAccount, showTokenAmount } from './tokenAccounts.js'
import { readTransactionError, type TransactionErrorJson } from './transactionError.js'

/** The accounts of a transaction that come from lookup tables. */
export type LoadedAddresses = { writable: Address[]; readonly: Address[] }

/** What a transaction did, whether it succeeded or failed. */
export type Execution = {
  error: TransactionErrorJson | undefined
  fee: bigint
  computeUnits: bigint
  logs: string[]
  loaded: LoadedAddresses
  preBalances: bigint[]
  postBalances: bigint[]
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

/** What a transaction is without its signatures. */
export type Message = Pick<Transaction, 'messageBytes'>

/** What a transaction says of itself: its accounts, those of lookup tables included, and its blockhash or nonce. */
type MessageContent = { accounts: Address[]; loaded: LoadedAddresses; lifetime: string }

/** Reads the accounts and the lifetime of a transaction. */
export const readMessage = (machine: LiteSVM, { messageBytes }: Message): MessageContent => {
  const message = messageDecoder.decode(messageBytes)
  const tables = 'addressTableLookups' in message ? (message.addressTableLookups ?? []) : []
  const pick = (table: Address, indexes: readonly number[]): Address[] => {
    const found = machine.getAccount(table)
    return indexes.flatMap((index) => {
      const at = tableHeader + 32 * index
      return found.exists && found.data.length >= at + 32 ? [getAddressDecoder().decode(found.data, at)] : []
    })
  }
  const loaded = {
    writable: tables.flatMap((each) => pick(each.lookupTableAddress, each.writableIndexes)),
    readonly: tables.flatMap((each) => pick(each.lookupTableAddress, each.readonlyIndexes)),
  }
  return {
    accounts: [...message.staticAccounts, ...loaded.writable, ...loaded.readonly],
    loaded,
    lifetime: String(message.lifetimeToken),
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

const balancesOf = (accounts: readonly MaybeEncodedAccount[]): bigint[] =>
  accounts.map((account) => (account.exists ? account.lamports : 0n))

const sumOf = (accounts: readonly MaybeEncodedAccount[]): bigint =>
  balancesOf(accounts).reduce((sum, lamports) => sum + lamports, 0n)

type Accounts = { pre: MaybeEncodedAccount[]; post: MaybeEncodedAccount[] }

/**
 * Runs a transaction, and returns what it did, with its accounts before and after. Returns `undefined` if it could
 * not even pay its fee, so that no block includes it. `nonceAccount` is the one whose nonce is its lifetime.
 */
export const execute = (
  machine: LiteSVM,
  transaction: Transaction,
  { accounts, loaded, lifetime, nonceAccount }: MessageContent & { nonceAccount: Address | undefined },
): (Execution & Accounts) | undefined => {
  const readAll = () => accounts.map((address) => machine.getAccount(address))
  const pre = readAll()
  const preTokenBalances = showTokens(machine, pre)
  const result = machine.sendTransaction(transaction)
  const isFailed = result instanceof FailedTransactionMetadata
  // Lamports that are gone are the fee.
  const fee = sumOf(pre) - sumOf(readAll())
  if (fee === 0n) return undefined
  settleNonces(machine, accounts, { lifetime, nonceAccount })
  const post = readAll()
  const meta = isFailed ? result.meta() : result
  return {
    pre,
    post,
    preTokenBalances,
    postTokenBalances: showTokens(machine, post),
    preBalances: balancesOf(pre),
    postBalances: balancesOf(post),
    fee,
    loaded,
    computeUnits: meta.computeUnitsConsumed(),
    logs: meta.logs(),
    error: isFailed ? readTransactionError(result.toString()) : undefined,
    inner: readInner(meta),
  }
}

const readInner = (meta: ReturnType<FailedTransactionMetadata['meta']>): InnerInstruction[][] =>
  meta.innerInstructions().map((called) =>
    called.map((each) => {
      const instruction = each.instruction()
      return {
        programIdIndex: instruction.programIdIndex(),
        accounts: [...instruction.accounts()],
        data: instruction.data(),
        stackHeight: each.stackHeight(),
      }
    }),
  )

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
