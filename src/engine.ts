export { canonicalJson } from './engine/canonicalJson.js'
export { clip } from './engine/clip.js'
export {
  type AuthorizationTerms,
  nonceOfQuote,
  type ProposedTerms,
  permit2Address,
  writeAuthorization,
} from './engine/evm/authorization.js'
export { type EncodedCall, encodeCalls, type WrittenCall } from './engine/evm/encodeCalls.js'
export { decodeExecution, encodeExecution } from './engine/evm/execution.js'
export { hashOperation, toViemOperation } from './engine/evm/hashOperation.js'
export { isInMerkleTree } from './engine/evm/isInMerkleTree.js'
export { type Issuer, issueCredential, type TypedData } from './engine/evm/issueCredential.js'
export { explainAddress, parseAddress, readAddress } from './engine/evm/parseAddress.js'
export { readAbiErrors } from './engine/evm/readAbi.js'
export { readApproval } from './engine/evm/readApproval.js'
export {
  type AuthorizationFault,
  type RefusedAuthorization,
  readAuthorization,
  type SignedAuthorization,
} from './engine/evm/readAuthorization.js'
export { readTransfer } from './engine/evm/readTransfer.js'
export {
  decodeRevert,
  describeRevert,
  explainAccountLack,
  explainWalletLack,
  showError,
  toLine,
  toRevertError,
} from './engine/evm/revert.js'
export { explainDisabled } from './engine/explainDisabled.js'
export {
  assertKeyOf,
  assertScope,
  type KeyEnvironment,
  type KeyKind,
  noCredentials,
  parseApiKey,
  readCredentials,
  unknownKey,
  wrongSecret,
} from './engine/http/apiKey.js'
export { assertIdempotencyKey, contentOf, usedIdempotencyKey } from './engine/http/idempotencyKey.js'
export { CursorQuery, type Page, PageQuery, toPage, wrongCursor } from './engine/http/pages.js'
export { parseBody } from './engine/http/parseBody.js'
export { explainMethods, writeError } from './engine/http/writeError.js'
export { InvalidInput } from './engine/invalidInput.js'
export { isNotModified } from './engine/isNotModified.js'
export { nextAttemptAtMs, promptMs } from './engine/nextAttempt.js'
export { isPaid, leftOf, sumUnits } from './engine/order/accepted.js'
export { isClaimed } from './engine/order/applyClaim.js'
export {
  acceptsPayment,
  awaitsSearch,
  dueUnits,
  explainUneditable,
  hintedForMs,
} from './engine/order/applyQuote.js'
export { listProceeds, type Proceeds, sweepAttempt, sweepKeys } from './engine/order/applySweep.js'
export { convertUp, equalsDecimal, getRate, multiplyDecimal } from './engine/order/convert.js'
export type { OrderEffect, OrderEvent, ReportedFailure } from './engine/order/event.js'
export { type CaptureDecision, explainCapture, readCapture } from './engine/order/explainCapture.js'
export { isClaim } from './engine/order/isClaim.js'
export { isFree } from './engine/order/isFree.js'
export { newOrder } from './engine/order/newOrder.js'
export * from './engine/order/order.js'
export { type OrderEventType, orderEvents } from './engine/order/orderEvents.js'
export {
  isQuotedIn,
  knownUnits,
  listMissing,
  listPlaces,
  type PaymentEstimate,
  viewPaymentOption,
  withoutFee,
} from './engine/order/paymentOptions.js'
export { explainLeft, planRefund } from './engine/order/planRefund.js'
export { explainCancel, planShipment, type ShipmentPlan } from './engine/order/planShipment.js'
export { quoteOrder } from './engine/order/quote.js'
export type { LineItemRequest, PricedCollection, PricedTemplate } from './engine/order/quoteInput.js'
export { readPaymentTerms } from './engine/order/readPaymentTerms.js'
export { planRefundAddress } from './engine/order/refundAddress.js'
export { priceClasses, priceClassOf, priceWorthOf, roomUnderCap } from './engine/order/refundCap.js'
export { refundedOf } from './engine/order/refundedOf.js'
export { findAddressee, findRecipient } from './engine/order/refundRecipient.js'
export { atRefund } from './engine/order/refundTerms.js'
export { divideRefund, sumRefundable } from './engine/order/requestRefund.js'
export {
  findPhase,
  hasEnded,
  listHolds,
  listSaleLimits,
  type SaleHold,
  type SaleRules,
  viewSale,
} from './engine/order/sale.js'
export { payOutKeyOf, refundKey, shareOfPrice, wholeShare } from './engine/order/settle.js'
export {
  type AskedItem,
  type AskedTerms,
  assertPromoted,
  assertTotalPrice,
  changeTerms,
  quotedTerms,
  readLineItems,
  readRecipient,
  type TermsChange,
} from './engine/order/terms.js'
export { transition } from './engine/order/transition.js'
export { type Audience, viewOrder } from './engine/order/view.js'
export { viewRefund } from './engine/order/viewRefund.js'
export { viewShipment } from './engine/order/viewShipment.js'
export { parseInput } from './engine/parseInput.js'
export { Refusal } from './engine/refusal.js'
export { explainProgramError, toErrorText } from './engine/solana/explainFailure.js'
export {
  getAssociatedTokens,
  getOrderOwner,
  getOrderReference,
  getOrderScalar,
  getPaymentsKey,
  toMemo,
} from './engine/solana/orderAccounts.js'
export {
  approvedTooLate,
  blockhashExpired,
  blockhashLifetime,
  noTransaction,
  readOtherSigners,
} from './engine/wallet/askedMessage.js'
export {
  BalanceQuery,
  findTokenCurrency,
  type HeldToken,
  listedTokens,
  readBalanceTokens,
  readFunding,
  splitNames,
  viewBalance,
} from './engine/wallet/balances.js'
export {
  addSignatures,
  assertSignaturesAwaited,
  assertSigners,
  readSignatures,
  toSigner,
} from './engine/wallet/messageSigners.js'
export {
  approvalSeconds,
  getDeadlineMs,
  marginMs,
  notApproved,
  toOwnNonce,
} from './engine/wallet/operationNonce.js'
export {
  explainChainAddress,
  parseChainAddress,
  readWalletAddress,
} from './engine/wallet/parseChainAddress.js'
export { readApprovals, readMessageApprovals } from './engine/wallet/readApprovals.js'
export { type AskedParams, readParams } from './engine/wallet/readParams.js'
export { readTokenLocator, readTokenOwner } from './engine/wallet/readTokenNames.js'
export { readWalletBody } from './engine/wallet/readWalletBody.js'
export { readWalletLocator, walletNotFound } from './engine/wallet/readWalletLocator.js'
export { programFailed, reverted } from './engine/wallet/reverted.js'
export {
  assertUnmade,
  assertWalletSigner,
  isSameSigner,
  readAdminSigner,
  readWalletType,
  type StoredSigner,
  toCustodian,
} from './engine/wallet/signer.js'
export {
  assertApprovalAwaited,
  assertApprovalNeeded,
  describeClient,
  readSignerApproval,
} from './engine/wallet/signerApproval.js'
export { readLinkedUser, userLocator } from './engine/wallet/userLocator.js'
export { viewSentToken } from './engine/wallet/viewSentToken.js'
export { operationOf, type StoredMessage, viewTransaction } from './engine/wallet/viewTransaction.js'
export { viewWallet } from './engine/wallet/viewWallet.js'
export { assertIsOn, familyOfWallet } from './engine/wallet/walletFamily.js'
export { type ChainFamily, chainFamilyOf, nativeCurrencyOf } from './schema/chains.js'
export { toFiat } from './schema/price.js'
export { dropHidden, isVisible } from './schema/text.js'
