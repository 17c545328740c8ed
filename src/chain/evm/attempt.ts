import { type Address, type Hex, isAddress, isHex } from 'viem'
import type { CreateAuthorizationBody } from '../../schema/authorization.js'
import type { AuthorizationKind } from '../../schema/orderMembers.js'
import { maybe, number, object, reader, text } from '../../schema/read.js'

/**
 * What an attempt keeps of a payment that the payer signs and the shop sends. The signature pays this order and does
 * nothing else, whoever has it.
 */
export type AttemptedAuthorization = {
  /** The attempt's `txId` from the signature until the shop has sent the payment. */
  id: string
  kind: AuthorizationKind
  nonce: string
  /** When it can no longer be settled, in epoch seconds as a decimal string. */
  validBefore: string
  /** What was signed. It is posted until the service has answered. */
  signed?: CreateAuthorizationBody | undefined
  /** Whether it was posted, so that the service may have it. */
  isPosted?: boolean | undefined
}

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
  /** Of a payment that the shop sends. `to` and `data` are the transfer that it makes. */
  authorization?: AttemptedAuthorization | undefined
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
    authorization: maybe(object({ id: text, kind: text, nonce: text, validBefore: text })),
  }),
)

/** Whether the text fields of a record are valid for queries of the chain. */
const isSound = ({
  payerAddress,
  to,
  data,
  valueWei,
  fromBlock = '0',
  authorization,
}: EvmPaymentAttempt): boolean =>
  isAddress(payerAddress, { strict: false }) &&
  isAddress(to, { strict: false }) &&
  isHex(data) &&
  /^\d+,\d+,\d+$/.test(`${valueWei},${fromBlock},${authorization?.validBefore ?? 0}`)

/** Reads a stored attempt; undefined if the record is another one. */
export const readEvmAttempt = (record: unknown): EvmPaymentAttempt | undefined => {
  const read = readRecord(record)
  return 'data' in read && isSound(read.data) ? read.data : undefined
}
