import type { ChainPort } from './chain.js'

/** The part of a chain port that is about the chain itself: its node, its blocks and its addresses. */
export type NodePort = Pick<
  ChainPort,
  | 'ready'
  | 'checkTokens'
  | 'recover'
  | 'getCaip2'
  | 'getHead'
  | 'getHeadNumber'
  | 'watchHeads'
  | 'announcesHeads'
  | 'getFinalBlock'
  | 'getOperatorBalance'
  | 'inspect'
  | 'readRateFeed'
  | 'getBlock'
  | 'findTransactionBlock'
  | 'isContract'
  | 'close'
>

/** The part of a chain port that is about the payments of buyers. */
export type PaymentPort = Pick<
  ChainPort,
  | 'traceReported'
  | 'paymentTarget'
  | 'preparePayment'
  | 'readHoldings'
  | 'estimatePayments'
  | 'findPayments'
  | 'readArrived'
  | 'getStatement'
>

/** The part of a chain port that pays out what orders hold. */
export type PayOutPort = Pick<
  ChainPort,
  | 'refund'
  | 'estimateRefundFee'
  | 'estimateRefundRent'
  | 'payOutCredit'
  | 'findCreditPayOut'
  | 'sweep'
  | 'sendUnattributed'
>

/** The part of a chain port that writes collections and tokens. */
export type CollectionWrites = Pick<
  ChainPort,
  | 'collectionAddress'
  | 'tokenAddress'
  | 'countMints'
  | 'explainRecipient'
  | 'createCollection'
  | 'updateCollection'
  | 'mint'
  | 'updateToken'
>
