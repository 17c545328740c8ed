export { type CheckedPayment, checkPayment } from './evm/checkPayment.js'
export { findToken } from './evm/findToken.js'
export { knownTokens } from './evm/knownTokens.js'
export {
  createLedger,
  createMemoryStorage,
  type Ledger,
  type LedgerStorage,
  type PaymentAttempt,
} from './evm/ledger.js'
export { getCloneAddress, getDepositAddress, toOrderReference } from './evm/orderAddresses.js'
export { type PaymentTransaction, readPreparation } from './evm/preparation.js'
export type { PaymentContracts, PaymentRules, Token, TokenTable } from './evm/rules.js'
export { isNativeCurrency } from './evm/tokens.js'
export {
  type CredentialFault,
  type VerifiedCredential,
  type VerifyCredentialParameters,
  verifyCredential,
} from './evm/verifyCredential.js'
export { classifyWalletError } from './evm/walletError.js'
