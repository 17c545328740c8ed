import type { WalletPort } from '../../walletPort.js'
import type { WalletParts } from './walletParts.js'

export const createOperations = (
  _parts: WalletParts,
): Pick<
  WalletPort,
  | 'smartWalletAddress'
  | 'encodeCalls'
  | 'getOperationNonce'
  | 'prepareOperation'
  | 'hashOperation'
  | 'readApproval'
  | 'signMessage'
  | 'sendOperations'
> => {
  const away = () => {
    throw new Error('not built yet')
  }
  return {
    smartWalletAddress: away,
    encodeCalls: away,
    getOperationNonce: away,
    prepareOperation: away,
    hashOperation: away,
    readApproval: away,
    signMessage: away,
    sendOperations: away,
  }
}
