export { getOrderAccounts, type OrderAccounts } from '../engine/solana/orderAccounts.js'
export {
  createMemoryStorage,
  createPaymentAttemptStore,
  openStorage,
  type PaymentAttempt,
  type PaymentAttemptStore,
  type WebStorage,
} from './attemptStore.js'
export type { AttemptedAuthorization, EvmPaymentAttempt } from './evm/attempt.js'
export { type CheckedAuthorization, checkAuthorization, permitSpender } from './evm/checkAuthorization.js'
export { type CheckedPayment, checkPayment } from './evm/checkPayment.js'
export { createTransferRequest } from './evm/createTransferRequest.js'
export { findToken } from './evm/findToken.js'
export { knownTokens } from './evm/knownTokens.js'
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
export type { SolanaPaymentAttempt } from './solana/attempt.js'
export {
  type CheckedSolanaPayment,
  checkSolanaPayment,
} from './solana/checkSolanaPayment.js'
export { createSolanaRequest } from './solana/createSolanaRequest.js'
export type { SolanaRules, SolanaToken } from './solana/tokens.js'
export type { TransferRequest } from './transferRequest.js'
