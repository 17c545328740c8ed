import type { WalletPort } from '../../walletPort.js'
import type { WalletParts } from './walletParts.js'

export const createAccounts = (
  _parts: WalletParts,
): Pick<WalletPort, 'tryCall' | 'sendCall' | 'getBalances' | 'fund'> => {
  const away = () => {
    throw new Error('not built yet')
  }
  return { tryCall: away, sendCall: away, getBalances: away, fund: away }
}
