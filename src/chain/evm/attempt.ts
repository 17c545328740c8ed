import { type Address, type Hex, isAddress, isHex } from 'viem'
import { maybe, number, object, reader, text } from '../../schema/read.js'

/** One attempt at paying an order on an EVM chain. */
export type EvmPaymentAttempt = {
  /** Identifies the attempt among those of one order. */
  id: string
  orderId: string
  /** Attempts on other families name it. */
  family?: undefined
  chainId: number
  payerAddress: Address
  /**
   * The transaction's recipient and data that the wallet was asked to sign. They identify the payment on
   * chain.
   */
  to: Address
  data: Hex
  /** A decimal string of wei. */
  valueWei: string
  /** When the wallet was asked, in epoch milliseconds. */
  attemptedAtMs: number
  /** The newest block at that time, as a decimal string. The payment cannot be in an earlier one. */
  fromBlock?: string | undefined
  /**
   * The transaction's nonce, once a node has returned it. If the nonce is used without this hash, the
   * transaction was replaced.
   */
  nonce?: number | undefined
  /**
   * Whether the payer is a contract, whose answer may be its own identifier instead of a transaction
   * hash.
   */
  isContractWallet?: boolean | undefined
  /** The wallet's answer: a transaction hash, or a contract wallet's own identifier. */
  txId?: string | undefined
  /** Identifier of a bundle of calls (EIP-5792), for a wallet that sends no plain transactions. */
  callsId?: string | undefined
  /** Absent: a wallet of an EVM chain sends itself. */
  signedTransaction?: string | undefined
  /** Whether the network has dropped the transaction, so that it is unknown whether it will return. */
  isDropped?: boolean | undefined
}

// An older version of the page keeps the fields that a newer one has written.
const readRecord = /* @__PURE__ */ reader<EvmPaymentAttempt>(
  object({
    id: text,
    orderId: text,
    chainId: number,
    payerAddress: text,
    to: text,
    data: text,
    valueWei: text,
    attemptedAtMs: number,
    fromBlock: maybe(text),
    nonce: maybe(number),
    txId: maybe(text),
    callsId: maybe(text),
  }),
)

/** Whether the text fields of a record are valid for queries of the chain. */
const isSound = ({ payerAddress, to, data, valueWei, fromBlock = '0' }: EvmPaymentAttempt): boolean =>
  isAddress(payerAddress, { strict: false }) &&
  isAddress(to, { strict: false }) &&
  isHex(data) &&
  /^\d+,\d+$/.test(`${valueWei},${fromBlock}`)

/** Reads a stored attempt; undefined if the record is another one. */
export const readEvmAttempt = (record: unknown): EvmPaymentAttempt | undefined => {
  const read = readRecord(record)
  return 'data' in read && isSound(read.data) ? read.data : undefined
}
