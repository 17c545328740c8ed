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
export type { PaymentContracts, PaymentRules, Token, TokenTable } from './rules.js'
export { isNativeCurrency } from './tokens.js'
export {
  type CredentialFault,
  type VerifiedCredential,
  type VerifyCredentialParameters,
  verifyCredential,
} from './verifyCredential.js'
export { classifyWalletError } from './walletError.js'
