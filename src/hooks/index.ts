export { useClient } from './useClient.js'
export { type UseCreateOrderParameters, type UseCreateOrderResult, useCreateOrder } from './useCreateOrder.js'
export { type UseEditOrderParameters, type UseEditOrderResult, useEditOrder } from './useEditOrder.js'
export { useNow } from './useNow.js'
export { type UseOrderParameters, type UseOrderResult, useOrder } from './useOrder.js'
export {
  type OrderSession,
  type UseOrderSessionParameters,
  type UseOrderSessionResult,
  useOrderSession,
} from './useOrderSession.js'
export { type UsePayOrderParameters, type UsePayOrderResult, usePayOrder } from './usePayOrder.js'
export {
  type UseRefreshOrderParameters,
  type UseRefreshOrderResult,
  useRefreshOrder,
} from './useRefreshOrder.js'
export { type UseSolanaWalletsResult, useSolanaWallets } from './useSolanaWallets.js'
export { type UseTransferParameters, type UseTransferResult, useTransfer } from './useTransfer.js'
