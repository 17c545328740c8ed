import { decodeMessage } from '../../chain/solana/message.js'
import { fromBase64, readTransaction, toBase64 } from '../../chain/solana/transaction.js'
import { decodeBase58 } from '../../engine/solana/base58.js'
import { getAssociatedTokens, programs } from '../../engine/solana/orderAccounts.js'
import { finalAfter } from './createTestSolana.js'
import { writeUnits } from './encodeMessage.js'
import { feePerSignature, solanaId } from './executeMessage.js'
import { solanaCurrencies, token2022 } from './network.js'
import type { SolanaTransaction, TestSolana } from './testSolana.js'

/** The error with which a node refuses a call. */
class SolanaRpcError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** A slot may have no block, so slots are ahead of heights. */
const skippedSlots = 500n
const tokenAccountBytes = 165

/** Converts a height to its slot, as nodes write it. */
const toSlot = (height: bigint): number => Number(height + skippedSlots)

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

const readBytes = (text: unknown): Uint8Array => {
  const bytes = typeof text === 'string' ? fromBase64(text) : undefined
  if (bytes) return bytes
  throw new SolanaRpcError(-32602, 'Invalid params: expected base64')
}

/** Runs a decoder, and refuses bytes that it cannot read. */
const decode = <Value>(read: () => Value): Value => {
  try {
    return read()
  } catch {
    throw new SolanaRpcError(-32602, 'failed to deserialize: these bytes are not a transaction')
  }
}

const readSent = (text: unknown) => {
  const bytes = readBytes(text)
  const transaction = decode(() => readTransaction(bytes))
  if (!transaction)
    throw new SolanaRpcError(-32602, 'failed to deserialize: these bytes are not a transaction')
  const message = decode(() => decodeMessage(transaction.message))
  return { bytes, message, signatures: transaction.signatures }
}

/** Lists the accounts and programs that a transaction names. */
const listAccounts = ({ message: { signers, instructions } }: SolanaTransaction): string[] => [
  ...signers,
  ...instructions.flatMap(({ program, accounts }) => [program, ...accounts]),
]

const getCommitment = ({ heightAt, now }: TestSolana, { landed }: SolanaTransaction): string => {
  if (!landed) return 'processed'
  return heightAt(now()) - heightAt(landed.atMs) >= finalAfter ? 'finalized' : 'confirmed'
}

const writeStatus = (chain: TestSolana, transaction: SolanaTransaction) => ({
  slot: toSlot(chain.heightAt(transaction.landed?.atMs ?? chain.now())),
  confirmations: null,
  err: transaction.landed?.err ?? null,
  confirmationStatus: getCommitment(chain, transaction),
})

/** Encodes the data of a token account, as far as its balance: mint, owner, amount. */
const writeTokenAccount = (mint: string, owner: string, units: bigint): string => {
  const bytes = new Uint8Array(tokenAccountBytes)
  bytes.set(decodeBase58(mint) ?? [], 0)
  bytes.set(decodeBase58(owner) ?? [], 32)
  bytes.set(writeUnits(units), 64)
  // The account is initialized.
  bytes[108] = 1
  return toBase64(bytes)
}

const listTokenAccounts = ({ bank, mints }: TestSolana, owner: string, mint: string) => {
  const currency = solanaCurrencies.find((known) => known.mint === mint)
  const program = currency ? programs.token : token2022
  const units = currency
    ? bank.get({ chainId: solanaId, owner, token: mint }, currency.decimals)
    : mints.find(mint)?.owner === owner
      ? 1n
      : 0n
  if (units === 0n) return []
  return [
    {
      pubkey: getAssociatedTokens(owner, mint, program),
      account: {
        data: [writeTokenAccount(mint, owner, units), 'base64'],
        owner: program,
        lamports: 2_039_280,
        executable: false,
        space: tokenAccountBytes,
      },
    },
  ]
}

const assertSigned = (signatures: readonly Uint8Array[], count: number): void => {
  const isSigned = signatures.length === count && signatures.every((signature) => signature.some(Boolean))
  if (!isSigned) throw new SolanaRpcError(-32003, 'Transaction signature verification failure')
}

type Method = (chain: TestSolana, params: readonly unknown[]) => unknown

const withContext = ({ heightAt, now }: TestSolana, value: unknown) => ({
  context: { slot: toSlot(heightAt(now())) },
  value,
})

const methods: Readonly<Record<string, Method>> = {
  getLatestBlockhash: (chain) => {
    const { blockhash, lastBlockHeight } = chain.getBlockhash()
    return withContext(chain, { blockhash, lastValidBlockHeight: Number(lastBlockHeight) })
  },
  getBlockHeight: ({ heightAt, now }, [config]) => {
    const head = heightAt(now())
    return Number(record(config).commitment === 'finalized' ? head - finalAfter : head)
  },
  getEpochInfo: ({ heightAt, now }, [config]) => {
    const height = heightAt(now()) - (record(config).commitment === 'finalized' ? finalAfter : 0n)
    return { absoluteSlot: toSlot(height), blockHeight: Number(height) }
  },
  getSignatureStatuses: (chain, [signatures]) => {
    const asked: unknown[] = Array.isArray(signatures) ? signatures : []
    const find = (signature: unknown) => chain.transactions().find((sent) => sent.signature === signature)
    const value = asked.map((signature) => {
      const found = find(signature)
      return found ? writeStatus(chain, found) : null
    })
    return withContext(chain, value)
  },
  getSignaturesForAddress: (chain, [address, config]) => {
    const listed = chain
      .transactions()
      .filter((sent) => sent.landed && listAccounts(sent).includes(String(address)))
      .sort((one, other) => (other.landed?.atMs ?? 0) - (one.landed?.atMs ?? 0))
      .map((sent) => ({ signature: sent.signature, memo: null, ...writeStatus(chain, sent) }))
    const { before } = record(config)
    return listed.slice(listed.findIndex(({ signature }) => signature === before) + 1)
  },
  getTransaction: (chain, [signature]) => {
    const found = chain.transactions().find((sent) => sent.signature === signature)
    if (!found?.landed) return null
    const { err, logs, atMs } = found.landed
    return {
      slot: toSlot(chain.heightAt(atMs)),
      blockTime: Math.floor(atMs / 1_000),
      version: 0,
      transaction: [toBase64(found.bytes), 'base64'],
      meta: { err, logMessages: logs, fee: Number(feePerSignature) * found.message.signers.length },
    }
  },
  simulateTransaction: (chain, [text, config]) => {
    const { message } = readSent(text)
    const isGone = chain.findLastHeight(message.blockhash) === undefined
    if (isGone && record(config).replaceRecentBlockhash !== true)
      return withContext(chain, { err: 'BlockhashNotFound', logs: [] })
    const { err, logs } = chain.simulate(message)
    return withContext(chain, { err, logs })
  },
  getFeeForMessage: (chain, [text]) => {
    const message = decode(() => decodeMessage(readBytes(text)))
    const isKnown = chain.findLastHeight(message.blockhash) !== undefined
    return withContext(chain, isKnown ? Number(feePerSignature) * message.signers.length : null)
  },
  getBalance: (chain, [address]) =>
    withContext(chain, Number(chain.bank.get({ chainId: solanaId, owner: String(address) }, 9))),
  getTokenAccountsByOwner: (chain, [owner, filter]) => {
    const { mint } = record(filter)
    if (typeof mint !== 'string') throw new SolanaRpcError(-32602, 'Invalid params: expected {mint}')
    return withContext(chain, listTokenAccounts(chain, String(owner), mint))
  },
  sendTransaction: (chain, [text, config]) => {
    const { bytes, message, signatures } = readSent(text)
    assertSigned(signatures, message.signers.length)
    if (record(config).skipPreflight !== true) {
      const isGone = chain.findLastHeight(message.blockhash) === undefined
      const { err } = isGone ? { err: 'BlockhashNotFound' } : chain.simulate(message)
      if (err !== null)
        throw new SolanaRpcError(-32002, `Transaction simulation failed: ${JSON.stringify(err)}`)
    }
    return chain.send(bytes)
  },
}

/**
 * Answers a JSON-RPC call as a node of the test cluster does.
 *
 * @returns The body of the answer: a result, or an error for a method that the test cluster lacks.
 */
export const answerSolanaNode = (chain: TestSolana, call: unknown): object => {
  const { id = null, method, params } = record(call)
  const answer = { jsonrpc: '2.0', id }
  try {
    chain.mine()
    const run = typeof method === 'string' && Object.hasOwn(methods, method) ? methods[method] : undefined
    if (!run) throw new SolanaRpcError(-32601, `${method} is not known on the test cluster`)
    return { ...answer, result: run(chain, Array.isArray(params) ? params : []) }
  } catch (error) {
    if (!(error instanceof SolanaRpcError)) throw error
    return { ...answer, error: { code: error.code, message: error.message } }
  }
}
