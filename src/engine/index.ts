export { canonicalJson } from './canonicalJson.js'
export { clip } from './clip.js'
export { type EncodedCall, encodeCalls, type WrittenCall } from './evm/encodeCalls.js'
export { type Issuer, issueCredential, type TypedData } from './evm/issueCredential.js'
export { parseAddress, readAddress } from './evm/parseAddress.js'
export { readAbiErrors } from './evm/readAbi.js'
export { readApproval } from './evm/readApproval.js'
export { decodeRevert, describeRevert, showError, toLine } from './evm/revert.js'
export { InvalidInput } from './invalidInput.js'
export { nextAttemptAtMs, promptMs } from './nextAttempt.js'
export { hintedForMs, isEditable } from './order/applyQuote.js'
export { listProceeds, type Proceeds, sweepAttempt, sweepKeys } from './order/applySweep.js'
export { convertUp, equalsDecimal, getRate, multiplyDecimal } from './order/convert.js'
export type { OrderEffect, OrderEvent, ReportedFailure } from './order/event.js'
export { newOrder } from './order/newOrder.js'
export * from './order/order.js'
export { type OrderEventType, orderEvents } from './order/orderEvents.js'
export { type LineItemRequest, type PricedTemplate, quoteOrder } from './order/quote.js'
export { isShareOfPrice } from './order/settle.js'
export {
  type AskedItem,
  type AskedTerms,
  assertTotalPrice,
  changeTerms,
  quotedTerms,
  readLineItems,
  readRecipient,
  type TermsChange,
} from './order/terms.js'
export { transition } from './order/transition.js'
export { type Audience, viewOrder } from './order/view.js'
export { parseInput } from './parseInput.js'
export { readApprovals } from './wallet/readApprovals.js'
export { type AskedParams, readParams } from './wallet/readParams.js'
export {
  assertUnmade,
  isSameSigner,
  readAdminSigner,
  type StoredSigner,
  toCustodian,
} from './wallet/signer.js'
