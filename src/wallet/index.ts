export type { RevertContext } from '../errors/context.js'
export { type AnyKassaError, isKassaError } from '../errors/KassaError.js'
export type { Approval, Credential, Transaction, Wallet, WalletToken } from '../schema/index.js'
export type { AttemptStorage } from './attempt.js'
export { type BalancesQueryParameters, balancesQueryOptions } from './balances.js'
export { type CreateTransferParameters, createTransfer } from './createTransfer.js'
export { createWalletMutationOptions } from './createWallet.js'
export { type CredentialQueryParameters, credentialQueryOptions } from './credential.js'
export type { SigningMeans } from './evm/approval.js'
export { type ContractCallParameters, contractCall } from './evm/contractCall.js'
export { type CreatePasskeyParameters, createPasskey, type Passkey } from './evm/createPasskey.js'
export { type FeeTerms, getMaxFeeWei } from './evm/operationFee.js'
export { forgetTransactions } from './forgetTransactions.js'
export type { WalletKey } from './keys.js'
export type { Pages, PagesOptions, PagesParameter } from './pagesOptions.js'
export { hasPasskeys } from './passkeyAvailability.js'
export { getTransactionPollInterval, type TransactionPollContext } from './pollInterval.js'
export type {
  HolderIdentifier,
  ReadOptions,
  ReadParameter,
  ReadParameters,
  WalletLocator,
} from './readOptions.js'
export {
  type TransactionQueryParameters,
  transactionQueryKey,
  transactionQueryOptions,
} from './transaction.js'
export type { SendParams, TransactionFailure, TransactionStep } from './transactionStep.js'
export {
  type TransactionPages,
  type TransactionsInfiniteQueryParameters,
  type TransactionsQueryParameters,
  transactionsInfiniteQueryOptions,
  transactionsQueryOptions,
} from './transactions.js'
export { type UseBalancesParameters, type UseBalancesResult, useBalances } from './useBalances.js'
export {
  type UseCreateWalletParameters,
  type UseCreateWalletResult,
  useCreateWallet,
} from './useCreateWallet.js'
export { type UseCredentialParameters, type UseCredentialResult, useCredential } from './useCredential.js'
export {
  type FollowTransactionParameters,
  type FollowTransactionResult,
  type UseTransactionParameters,
  type UseTransactionResult,
  useTransaction,
} from './useTransaction.js'
export {
  type UseTransactionsParameters,
  type UseTransactionsResult,
  useTransactions,
} from './useTransactions.js'
export { type UseWalletParameters, type UseWalletResult, useWallet } from './useWallet.js'
export { useWalletClient } from './useWalletClient.js'
export {
  type UseWalletTokensParameters,
  type UseWalletTokensResult,
  useWalletTokens,
} from './useWalletTokens.js'
export { WalletProvider, type WalletProviderProps } from './WalletProvider.js'
export { type WalletQueryParameters, walletQueryOptions } from './wallet.js'
export {
  type WalletTokenPages,
  type WalletTokensInfiniteQueryParameters,
  type WalletTokensQueryParameters,
  walletTokensInfiniteQueryOptions,
  walletTokensQueryOptions,
} from './walletTokens.js'
