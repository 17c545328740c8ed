import { decodeMessage, type Message } from '../../chain/solana/message.js'
import { readTransaction } from '../../chain/solana/transaction.js'
import { encodeBase58 } from '../../engine/solana/base58.js'
import { blockhashLifetime } from '../../engine/wallet/askedMessage.js'
import { createBank } from '../evm/createBank.js'
import { executeMessage, type SolanaState } from './executeMessage.js'
import { nameSolanaAddress } from './network.js'
import type { MintedMint, MintLedger, Outcome, SolanaTransaction, TestSolana } from './testSolana.js'

/** The time between two blocks. @units milliseconds */
const blockMs = 400
const firstBlock = 1_000_000n
/** How many blocks on top of its own make a transaction final. */
export const finalAfter = 32n

const createMintLedger = (): MintLedger => {
  let tokens = new Map<string, MintedMint>()
  return {
    find: (mint) => tokens.get(mint),
    list: (owners) =>
      [...tokens.values()]
        .filter(({ owner }) => owners.includes(owner))
        .sort((one, other) => (one.mint < other.mint ? -1 : 1)),
    put: (token) => void tokens.set(token.mint, token),
    save: () => {
      const saved = new Map(tokens)
      return () => {
        tokens = saved
      }
    },
  }
}

/** Reads a signed transaction. @throws {RangeError} if the bytes are none. */
const readSigned = (bytes: Uint8Array): { signature: string; message: Message } => {
  const { signatures: [first] = [], message = new Uint8Array() } = readTransaction(bytes) ?? {}
  if (!first) throw new RangeError('these bytes are not a transaction')
  return { signature: encodeBase58(first), message: decodeMessage(message) }
}

/** Starts a Solana cluster that contains only a test's transactions. Its blocks follow the test's clock. */
export const createTestSolana = (now: () => number, seenMs: () => number): TestSolana => {
  const state: SolanaState = {
    bank: createBank((address: string) => address),
    mints: createMintLedger(),
    owners: new Map(),
  }
  const startMs = now()
  let sent: SolanaTransaction[] = []
  const heightAt = (ms: number): bigint =>
    firstBlock + BigInt(Math.max(0, Math.floor((ms - startMs) / blockMs)))
  const hashBlock = (height: bigint): string => nameSolanaAddress(`block ${height}`)

  const findLastHeight = (blockhash: string): bigint | undefined => {
    const head = heightAt(now())
    for (let height = head; height >= head - blockhashLifetime; height--) {
      if (hashBlock(height) === blockhash) return height + blockhashLifetime
    }
    return undefined
  }

  const include = (transaction: SolanaTransaction): void => {
    const outcome = executeMessage(state, transaction.message, transaction.failsWith)
    if (typeof outcome.err !== 'string') transaction.landed = { ...outcome, atMs: transaction.dueMs }
    // No block includes a transaction that cannot pay its fee.
    else sent = sent.filter((other) => other !== transaction)
  }

  const mine = (): void => {
    const due = sent.filter(({ landed, dueMs }) => !landed && dueMs <= now())
    for (const transaction of due.sort((one, other) => one.dueMs - other.dueMs)) include(transaction)
  }

  return {
    bank: state.bank,
    mints: state.mints,
    now,
    mine,
    transactions: () => sent,
    heightAt,
    getBlockhash: () => {
      const height = heightAt(now())
      return { blockhash: hashBlock(height), lastBlockHeight: height + blockhashLifetime }
    },
    findLastHeight,
    simulate: (message): Outcome => {
      mine()
      const undo = [state.bank.save(), state.mints.save()]
      const outcome = executeMessage({ ...state, owners: new Map(state.owners) }, message)
      for (const restore of undo) restore()
      return outcome
    },
    send: (bytes, { delayMs = seenMs(), failsWith } = {}) => {
      const { signature, message } = readSigned(bytes)
      if (sent.some((known) => known.signature === signature)) return signature
      const lastBlockHeight = findLastHeight(message.blockhash)
      const dueMs = now() + delayMs
      // The network forgets what no block can include any more.
      if (lastBlockHeight === undefined || heightAt(dueMs) > lastBlockHeight) return signature
      sent = [...sent, { signature, bytes, message, dueMs, failsWith }]
      mine()
      return signature
    },
  }
}
