export { readRouterPay, readTransfer } from './calls.js'
export { type CheckedPayment, checkPayment } from './checkPayment.js'
export { findToken } from './findToken.js'
export { knownTokens } from './knownTokens.js'
export {
  createLedger,
  createMemoryStorage,
  type Ledger,
  type LedgerStorage,
  type PaymentAttempt,
} from './ledger.js'
export { getCloneAddress, getDepositAddress, toOrderReference } from './orderAddresses.js'
export { type PaymentTransaction, readPreparation } from './preparation.js'
export { readRevert } from './revert.js'
export type { PaymentContracts, PaymentRules, Token, TokenTable } from './rules.js'
export { isNativeCurrency } from './tokens.js'
export {
  type CredentialFault,
  type VerifiedCredential,
  type VerifyCredentialParameters,
  verifyCredential,
} from './verifyCredential.js'
export { classifyWalletError, isRefusal, isRevert, isUnknownChain, isUnsupported } from './walletError.js'
