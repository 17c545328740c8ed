import { maybe, number, object, reader, text } from '../../schema/read.js'
import type { AttemptedAuthorization } from '../evm/attempt.js'

/** One attempt at paying an order on Solana. */
export type SolanaPaymentAttempt = {
  /** Identifies the attempt among those of one order. */
  id: string
  orderId: string
  family: 'solana'
  payerAddress: string
  /** The message that the wallet was asked to sign, in base64. */
  message: string
  /** The account that the message pays. */
  recipient: string
  /** The last block that can take in what the wallet sends, as a decimal string. After it no payment can come. */
  lastBlockHeight: string
  /** The slot before the wallet was asked, as a decimal string. The payment cannot be in an earlier one. */
  fromSlot: string
  /** When the wallet was asked, in epoch milliseconds. */
  attemptedAtMs: number
  /** The payment's signature. */
  txId?: string | undefined
  /** The signed transaction of a wallet that does not send itself, in base64. It is sent until it is in a block. */
  signedTransaction?: string | undefined
  /** Whether the network has dropped the transaction, so that it is unknown whether it will return. */
  isDropped?: boolean | undefined
  /** Absent: only wallets of EVM chains have these. */
  isContractWallet?: boolean | undefined
  callsId?: string | undefined
  authorization?: AttemptedAuthorization | undefined
}

const readRecord = /* @__PURE__ */ reader<SolanaPaymentAttempt>(
  object({
    id: text,
    orderId: text,
    family: text,
    payerAddress: text,
    message: text,
    recipient: text,
    lastBlockHeight: text,
    fromSlot: text,
    attemptedAtMs: number,
    txId: maybe(text),
    signedTransaction: maybe(text),
  }),
)

/** Reads a stored attempt; undefined if the record is another one. */
export const readSolanaAttempt = (record: unknown): SolanaPaymentAttempt | undefined => {
  const read = readRecord(record)
  if (!('data' in read)) return undefined
  const { family, lastBlockHeight, fromSlot } = read.data
  return family === 'solana' && /^\d+,\d+$/.test(`${lastBlockHeight},${fromSlot}`) ? read.data : undefined
}
