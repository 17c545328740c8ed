import type { ChainFamily } from 'kassa/engine'
import type { WalletRow } from './findWallet.js'

const families: Readonly<Record<WalletRow['type'], ChainFamily>> = {
  'evm-smart-wallet': 'evm',
  'evm-mpc-wallet': 'evm',
}

/** Returns the family of the chains on which a type of wallet exists. */
export const familyOf = (type: WalletRow['type']): ChainFamily => families[type]
