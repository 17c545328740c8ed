import type { ChainFamily } from 'kassa/engine'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import type { ChainPort } from '#base/ports/chain.js'
import type { WalletRow } from './findWallet.js'

const families: Readonly<Record<WalletRow['type'], ChainFamily>> = {
  'evm-smart-wallet': 'evm',
  'evm-mpc-wallet': 'evm',
  'solana-mpc-wallet': 'solana',
  'solana-smart-wallet': 'solana',
}

/** Returns the family of the chains on which a type of wallet exists. */
export const familyOf = (type: WalletRow['type']): ChainFamily => families[type]

/** Lists the enabled chains on which a wallet exists. */
export const listChainsOf = (
  { chains }: Pick<Deps, 'chains'>,
  { type }: Pick<WalletRow, 'type'>,
): ChainPort[] =>
  chains.enabled.flatMap((name) => chains.get(name) ?? []).filter(({ family }) => family === familyOf(type))

/**
 * Asserts that a wallet exists on a chain.
 *
 * @param field - The field that names the chain.
 * @throws {@link ServiceError} `input-invalid`.
 */
export const assertIsOn = (
  { type }: Pick<WalletRow, 'type'>,
  { chain, family }: ChainPort,
  field: string,
): void => {
  if (family === familyOf(type)) return
  throw new ServiceError(
    'input-invalid',
    `${field}: the address of a wallet of type ${type} is not on ${chain}`,
  )
}
