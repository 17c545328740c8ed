import type { ChainFamily } from '../../schema/chains.js'
import type { WalletType } from '../../schema/walletMembers.js'
import { invalid } from '../invalidInput.js'

const families: Readonly<Record<WalletType, ChainFamily>> = {
  'evm-smart-wallet': 'evm',
  'evm-mpc-wallet': 'evm',
  'solana-mpc-wallet': 'solana',
  'solana-smart-wallet': 'solana',
}

/** Returns the family of the chains on which wallets of a type exist. */
export const familyOfWallet = (type: WalletType): ChainFamily => families[type]

/** A chain that a request names. */
type NamedChain = { chain: string; family: ChainFamily | undefined }

/**
 * Asserts that a wallet exists on a chain.
 *
 * @param field - The field that names the chain.
 * @throws {@link InvalidInput} naming the field.
 */
export const assertIsOn = (
  { type }: { type: WalletType },
  { chain, family }: NamedChain,
  field: string,
): void => {
  if (family === familyOfWallet(type)) return
  throw invalid(field, `the address of a wallet of type ${type} is not on ${chain}`)
}
