import type { ChainFamily } from 'kassa/engine'
import type { WalletRow } from './findWallet.js'

/** Returns the family of the chains on which a type of wallet exists. */
export const familyOf = (type: WalletRow['type']): ChainFamily => (type.startsWith('evm-') ? 'evm' : 'solana')
