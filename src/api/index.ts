export type { KassaErrorCode, RevertContext } from '../errors/context.js'
export { type AnyKassaError, isKassaError, KassaError } from '../errors/KassaError.js'
export {
  type GetActionParameters,
  getAction,
  type WaitForActionParameters,
  waitForAction,
} from './actions.js'
export { type Client, type CreateClientParameters, createClient } from './client.js'
export { getServiceTime } from './clock.js'
export {
  type CreateCollectionParameters,
  createCollection,
  type GetCollectionParameters,
  getCollection,
  type ListCollectionsParameters,
  listCollections,
  type PutCollectionParameters,
  putCollection,
  type UpdateCollectionParameters,
  updateCollection,
} from './collections.js'
export type { FollowParameters } from './follow.js'
export { type GetOrderParameters, getOrder, getOrderIfChanged } from './getOrder.js'
export {
  type BurnNftParameters,
  burnNft,
  type GetNftParameters,
  getNft,
  type ListNftsParameters,
  listNfts,
  type MintNftParameters,
  mintNft,
  type PutNftParameters,
  putNft,
  type UpdateNftParameters,
  updateNft,
} from './nfts.js'
export { type Call, observeCalls } from './observeCalls.js'
export {
  type CreateOrderParameters,
  createOrder,
  type EditOrderParameters,
  editOrder,
  type ListOrdersParameters,
  listOrders,
  type RefreshOrderParameters,
  refreshOrder,
} from './orders.js'
export { type ReportPaymentParameters, reportPayment } from './reportPayment.js'
export type { Answered, CallParameters, KeyCallParameters, PageParameters } from './request.js'
export {
  type CreateTemplateParameters,
  createTemplate,
  type DeleteTemplateParameters,
  deleteTemplate,
  type GetTemplateParameters,
  getTemplate,
  type ListTemplatesParameters,
  listTemplates,
  type PutTemplateParameters,
  putTemplate,
  type UpdateTemplateParameters,
  updateTemplate,
} from './templates.js'
export {
  type ApproveTransactionParameters,
  approveTransaction,
  type CreateTransactionParameters,
  createTransaction,
  type GetTransactionParameters,
  getTransaction,
  type ListTransactionsParameters,
  listTransactions,
} from './transactions.js'
export {
  hasTransactionEnded,
  type WaitForTransactionParameters,
  waitForTransaction,
} from './waitForTransaction.js'
export {
  type BalancesQuery,
  type CreateWalletParameters,
  createWallet,
  type FundWalletParameters,
  fundWallet,
  type GetBalancesParameters,
  type GetCredentialParameters,
  type GetWalletParameters,
  getBalances,
  getCredential,
  getWallet,
  type ListWalletTokensParameters,
  listWalletTokens,
  type WalletParameters,
} from './wallets.js'
