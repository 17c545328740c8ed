export { checkAmount, isNativeCurrency } from './checkAmount.js'
export {
  createLedger,
  createMemoryStorage,
  type Ledger,
  type LedgerStorage,
  type PaymentAttempt,
} from './ledger.js'
export { type PaymentTransaction, readPreparation } from './preparation.js'
export { classifyWalletError, isRefusal, isRevert } from './walletError.js'
