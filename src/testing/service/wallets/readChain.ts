import { type EvmChainName, evmChains } from '../../../schema/chains.js'
import { badInput } from '../httpError.js'
import type { TestWorld } from '../testWorld.js'

/** A chain that is enabled. */
export type EnabledChain = { name: EvmChainName; chainId: number }

/**
 * Reads the name of a chain.
 *
 * @throws {@link HttpError} naming the field and the chains that are enabled.
 */
export const readChain = (
  { enabled }: Pick<TestWorld, 'enabled'>,
  field: string,
  text: string,
): EnabledChain => {
  const name = enabled.find((known) => known === text)
  if (name) return { name, chainId: evmChains[name].chainId }
  const list = enabled.join(', ') || 'none'
  throw badInput(`${field}: ${text} is not enabled on this deployment (enabled: ${list})`)
}
