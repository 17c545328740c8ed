import { withTimeout } from '../../api/withTimeout.js'
import { fromBase64, readTransaction, toBase64, writeUnsigned } from '../../chain/solana/transaction.js'
import { readInteger } from '../../chain/solana/transfer.js'

/** How long a node may take to answer. */
const timeoutMs = 15_000

/** A node's answer to a call that it refused. */
class NodeError extends Error {
  readonly code: number
  readonly data: unknown

  constructor({ code, message, data }: { code: number; message: string; data?: unknown }) {
    super(message)
    this.name = 'NodeError'
    this.code = code
    this.data = data
  }
}

/** What a node says of a transaction. */
export type Status = {
  slot: bigint
  /** Why the transaction failed; null if it succeeded. */
  err: unknown
  commitment: 'processed' | 'confirmed' | 'finalized'
}

/** What a node would do with a transaction, at a slot. */
export type Result = { slot: bigint; err: unknown; logs: readonly string[] }

/** A transaction that names an account. */
export type ListedTransaction = { signature: string; slot: bigint; err: unknown }

/** The methods of a node that a payment needs. They reject when the node is unavailable. */
export type SolanaNode = {
  /**
   * Reads the newest confirmed slot, and the last block that takes in what names the newest block.
   *
   * @param minSlot - Rejects if the node has not reached this slot.
   */
  getTip(minSlot: bigint): Promise<{ slot: bigint; lastBlockHeight: bigint }>
  /** Reads the slot and the height of the newest final block, both in one answer. */
  getFinal(): Promise<{ slot: bigint; height: bigint }>
  getStatus(signature: string): Promise<Status | undefined>
  /**
   * Lists the newest confirmed transactions that name an account, the newest first.
   *
   * @param options.minSlot - Rejects if the node has not confirmed this slot.
   * @param options.before - Lists those before this signature.
   */
  listSignatures(
    address: string,
    options: { minSlot: bigint; before: string | undefined },
  ): Promise<ListedTransaction[]>
  /** Reads the message and the log of a confirmed transaction. */
  getTransaction(signature: string): Promise<{ message: Uint8Array; logs: readonly string[] } | undefined>
  simulate(message: Uint8Array): Promise<Result>
  /** @units lamports */
  getFee(message: Uint8Array): Promise<bigint | undefined>
  /** @units lamports */
  getBalance(address: string): Promise<bigint>
  /** Adds up what an account holds of a token, in base units. */
  getTokenBalance(address: string, mint: string): Promise<bigint>
  /** @param transaction - Signed, in base64. */
  send(transaction: string): Promise<void>
}

const object = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const texts = (value: unknown): string[] => list(value).filter((item) => typeof item === 'string')

/** Reads an integer of a node's answer. A node that answers with anything else counts as unavailable. */
const integer = (value: unknown): bigint => {
  if (typeof value !== 'number' || !Number.isInteger(value)) throw new Error('the node gave no number')
  return BigInt(value)
}

/** Reads a list of a node's answer. No list is not an empty one: taken as such, it would prove that nothing was paid. */
const requiredList = (value: unknown): unknown[] => {
  if (!Array.isArray(value)) throw new Error('the node gave no list')
  return value
}

/** Where a token account says how much it holds, and how long that is. */
const amountAt = 64
const amountBytes = 8

const confirmed = { commitment: 'confirmed' } as const

/** Calls methods of a node by JSON-RPC. */
const createCall = (url: string, send: typeof fetch | undefined) => {
  let count = 0
  const post = async (method: string, params: unknown[]): Promise<unknown> => {
    const response = await (send ?? fetch)(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: ++count, method, params }),
    })
    const answer = object(await response.json())
    if (answer.error === undefined && 'result' in answer) return answer.result
    const { code, message, data } = object(answer.error)
    throw new NodeError({ code: Number(code), message: String(message), data })
  }
  return (method: string, ...params: unknown[]): Promise<unknown> =>
    withTimeout(timeoutMs, post(method, params), () => new Error(`${method} took too long`))
}

/**
 * Opens a node by its JSON-RPC address.
 *
 * @param send - Sends the calls. By default the `fetch` of the moment.
 */
export const openNode = (url: string, send?: typeof fetch): SolanaNode => {
  const call = createCall(url, send)
  const callValue = async (method: string, ...params: unknown[]): Promise<unknown> =>
    object(await call(method, ...params)).value

  return {
    getTip: async (minSlot) => {
      const options = { ...confirmed, minContextSlot: Number(minSlot) }
      const { context, value } = object(await call('getLatestBlockhash', options))
      const slot = integer(object(context).slot)
      // Not every provider passes the setting on to the node that answers.
      if (slot < minSlot) throw new Error('the node lags behind')
      return { slot, lastBlockHeight: integer(object(value).lastValidBlockHeight) }
    },
    getFinal: async () => {
      const { absoluteSlot, blockHeight } = object(await call('getEpochInfo', { commitment: 'finalized' }))
      return { slot: integer(absoluteSlot), height: integer(blockHeight) }
    },
    getStatus: async (signature) => {
      const options = { searchTransactionHistory: true }
      const [known] = requiredList(await callValue('getSignatureStatuses', [signature], options))
      if (known === null) return undefined
      const { slot, err, confirmationStatus } = object(known)
      const commitment =
        confirmationStatus === 'confirmed' || confirmationStatus === 'finalized'
          ? confirmationStatus
          : 'processed'
      return { slot: integer(slot), err: err ?? null, commitment }
    },
    listSignatures: async (address, { minSlot, before }) => {
      const options = {
        ...confirmed,
        minContextSlot: Number(minSlot),
        ...(before !== undefined && { before }),
      }
      return requiredList(await call('getSignaturesForAddress', address, options))
        .map(object)
        .map(({ signature, slot, err }) => ({
          signature: String(signature),
          slot: integer(slot),
          err: err ?? null,
        }))
    },
    getTransaction: async (signature) => {
      const options = { ...confirmed, encoding: 'base64', maxSupportedTransactionVersion: 0 }
      const { transaction, meta } = object(await call('getTransaction', signature, options))
      const [text] = texts(transaction)
      const bytes = text === undefined ? undefined : fromBase64(text)
      const message = bytes && readTransaction(bytes)?.message
      return message && { message, logs: texts(object(meta).logMessages) }
    },
    simulate: async (message) => {
      const options = { ...confirmed, encoding: 'base64', sigVerify: false }
      const { context, value } = object(
        await call('simulateTransaction', toBase64(writeUnsigned(message)), options),
      )
      const { err, logs } = object(value)
      return { slot: integer(object(context).slot), err: err ?? null, logs: texts(logs) }
    },
    getFee: async (message) => {
      const fee = await callValue('getFeeForMessage', toBase64(message), confirmed)
      return fee === null ? undefined : integer(fee)
    },
    getBalance: async (address) => integer(await callValue('getBalance', address, confirmed)),
    getTokenBalance: async (address, mint) => {
      const options = { ...confirmed, encoding: 'base64' }
      const accounts = list(await callValue('getTokenAccountsByOwner', address, { mint }, options))
      return accounts.reduce((units: bigint, account) => {
        const [text] = texts(object(object(account).account).data)
        const bytes = text === undefined ? undefined : fromBase64(text)
        return bytes ? units + readInteger(bytes, amountAt, amountBytes) : units
      }, 0n)
    },
    send: async (transaction) => {
      await call('sendTransaction', transaction, { encoding: 'base64', preflightCommitment: 'confirmed' })
    },
  }
}
