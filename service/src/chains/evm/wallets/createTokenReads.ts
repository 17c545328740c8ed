import type { WalletPort } from '../../walletPort.js'
import type { WalletParts } from './walletParts.js'

export const createTokenReads = (
  _parts: WalletParts,
): Pick<WalletPort, 'findTransfers' | 'readTokens' | 'findOwner'> => {
  const away = () => {
    throw new Error('not built yet')
  }
  return { findTransfers: away, readTokens: away, findOwner: away }
}
