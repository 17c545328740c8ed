import {
  type Address,
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  getBase58Decoder,
  getBase64Decoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
} from '@solana/kit'
import type { LandedTransaction } from './blockstore.js'
import { showParsedInstruction } from './parseInstruction.js'
import type { RpcConfig } from './readParams.js'
import { invalidParams, RpcError } from './rpcError.js'

const base58 = getBase58Decoder()

type Message = Exclude<CompiledTransactionMessage & CompiledTransactionMessageWithLifetime, { version: 1 }>

const readTransaction = (bytes: Uint8Array): { signatures: string[]; message: Message } => {
  const { messageBytes, signatures } = getTransactionDecoder().decode(bytes)
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes)
  if (message.version === 1) throw new Error('a transaction of version 1 never lands')
  const shown = Object.values(signatures).map((each) => base58.decode(each ?? new Uint8Array(64)))
  return { signatures: shown, message }
}

const showLookups = (message: Message) =>
  'addressTableLookups' in message && {
    addressTableLookups: (message.addressTableLookups ?? []).map(
      ({ lookupTableAddress: accountKey, writableIndexes, readonlyIndexes }) => ({
        accountKey,
        writableIndexes,
        readonlyIndexes,
      }),
    ),
  }

const showMessage = (message: Message) => ({
  accountKeys: message.staticAccounts,
  header: {
    numRequiredSignatures: message.header.numSignerAccounts,
    numReadonlySignedAccounts: message.header.numReadonlySignerAccounts,
    numReadonlyUnsignedAccounts: message.header.numReadonlyNonSignerAccounts,
  },
  recentBlockhash: message.lifetimeToken,
  instructions: message.instructions.map(({ programAddressIndex, accountIndices = [], data }) => ({
    programIdIndex: programAddressIndex,
    accounts: accountIndices,
    data: base58.decode(data ?? new Uint8Array()),
    stackHeight: 1,
  })),
  ...showLookups(message),
})

/** Shows the accounts of a transaction with their roles. A program is never writable for those who call it. */
const showAccountKeys = (
  { header, instructions, staticAccounts }: Message,
  { loaded }: LandedTransaction,
) => {
  const programs = new Set(instructions.map(({ programAddressIndex }) => programAddressIndex))
  const writableSigners = header.numSignerAccounts - header.numReadonlySignerAccounts
  const writableEnd = staticAccounts.length - header.numReadonlyNonSignerAccounts
  const showLoaded = (writable: boolean) => (pubkey: Address) => ({
    pubkey,
    signer: false,
    writable,
    source: 'lookupTable',
  })
  return [
    ...staticAccounts.map((pubkey, index) => {
      const signer = index < header.numSignerAccounts
      const isWritable = signer ? index < writableSigners : index < writableEnd
      return { pubkey, signer, writable: isWritable && !programs.has(index), source: 'transaction' }
    }),
    ...loaded.writable.map(showLoaded(true)),
    ...loaded.readonly.map(showLoaded(false)),
  ]
}

type Indexed = { programIdIndex: number; accounts: readonly number[]; data: Uint8Array; stackHeight: number }

const showParsed = ({ accounts }: LandedTransaction, { programIdIndex, accounts: used, ...rest }: Indexed) =>
  showParsedInstruction({
    ...rest,
    programId: accounts[programIdIndex] as Address,
    accounts: used.flatMap((index) => accounts[index] ?? []),
  })

const showParsedMessage = (message: Message, each: LandedTransaction) => ({
  accountKeys: showAccountKeys(message, each),
  recentBlockhash: message.lifetimeToken,
  instructions: message.instructions.map(({ programAddressIndex, accountIndices = [], data }) =>
    showParsed(each, {
      programIdIndex: programAddressIndex,
      accounts: accountIndices,
      stackHeight: 1,
      data: Uint8Array.from(data ?? []),
    }),
  ),
  ...showLookups(message),
})

const showEncoded = (each: LandedTransaction, encoding: string): unknown => {
  if (encoding === 'base64') return [getBase64Decoder().decode(each.bytes), 'base64']
  if (encoding === 'base58') return [base58.decode(each.bytes), 'base58']
  const { signatures, message } = readTransaction(each.bytes)
  if (encoding === 'json') return { signatures, message: showMessage(message) }
  if (encoding === 'jsonParsed') return { signatures, message: showParsedMessage(message, each) }
  throw invalidParams(`no encoding ${encoding}`)
}

/** Shows what programs have called, for those instructions that called anything. */
const showInner = (each: LandedTransaction, isParsed: boolean) =>
  each.inner.flatMap((called, index) => {
    const instructions = called.map((one) =>
      isParsed ? showParsed(each, one) : { ...one, data: base58.decode(one.data) },
    )
    return instructions.length ? [{ index, instructions }] : []
  })

/** Shows the result of a transaction as a node does. */
export const showStatus = (error: LandedTransaction['error']) =>
  error === undefined ? { Ok: null } : { Err: error }

const showOutcome = (each: LandedTransaction) => ({
  err: each.error ?? null,
  status: showStatus(each.error),
  fee: each.fee,
  preBalances: each.preBalances,
  postBalances: each.postBalances,
  preTokenBalances: each.preTokenBalances,
  postTokenBalances: each.postTokenBalances,
})

/** Returns the version as far as the client knows of versions. */
const showVersion = ({ version }: Message, { maxSupportedTransactionVersion: max }: RpcConfig) => {
  if (max !== undefined) return { version }
  if (version === 'legacy') return {}
  const hint = `Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`
  throw new RpcError(
    -32015,
    `Transaction version (${version}) is not supported by the requesting client. ${hint}`,
  )
}

/** Shows a transaction, what it did, and its version. */
export const showTransaction = (each: LandedTransaction, config: RpcConfig) => {
  const { encoding = 'json' } = config
  const version = showVersion(readTransaction(each.bytes).message, config)
  const isParsed = encoding === 'jsonParsed'
  return {
    transaction: showEncoded(each, encoding),
    meta: {
      ...showOutcome(each),
      logMessages: each.logs,
      innerInstructions: showInner(each, isParsed),
      rewards: [],
      computeUnitsConsumed: each.computeUnits,
      // With their sources, the accounts say it.
      ...(!isParsed && { loadedAddresses: each.loaded }),
    },
    ...version,
  }
}

/** Shows the accounts of a transaction and what it did to them. */
export const showTransactionAccounts = (each: LandedTransaction, config: RpcConfig) => {
  const { signatures, message } = readTransaction(each.bytes)
  return {
    transaction: { signatures, accountKeys: showAccountKeys(message, each) },
    meta: showOutcome(each),
    ...showVersion(message, config),
  }
}
