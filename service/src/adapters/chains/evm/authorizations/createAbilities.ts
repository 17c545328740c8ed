import type { Address } from 'viem'
import type { ChainParts } from '../chainParts.js'
import { readTokenAbilities, type TokenAbilities } from './readTokenAbilities.js'

/** What is known of the tokens of a chain. */
export type KnownAbilities = {
  /** Returns what a token can do with signatures. The chain is asked once. */
  abilitiesOf(token: Address): Promise<TokenAbilities>
  /** Forgets what a token can do: one that was changed has another domain. */
  forgetAbilities(token: Address): void
}

/** Creates the memory of what tokens can do with signatures. */
export const createAbilities = ({ options, use }: Pick<ChainParts, 'options' | 'use'>): KnownAbilities => {
  const known = new Map<Address, Promise<TokenAbilities>>()
  return {
    abilitiesOf: (token) => {
      const before = known.get(token)
      if (before) return before
      const reading = use(({ batching }) => readTokenAbilities(batching, token, options.chainId))
      known.set(token, reading)
      reading.catch(() => known.delete(token))
      return reading
    },
    forgetAbilities: (token) => void known.delete(token),
  }
}
