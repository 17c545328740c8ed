import type { Chain } from 'viem'
import type { Config } from 'wagmi'
import { evmChains, isEvmChainName } from '../../../schema/chains.js'

/**
 * Finds a chain in the app's wagmi configuration.
 *
 * @param name - The interface's name, such as `base-sepolia`.
 * @returns Undefined for a chain that the app does not configure or wagmi cannot know.
 */
export const findChain = (config: Config | undefined, name: string | undefined): Chain | undefined =>
  name !== undefined && isEvmChainName(name)
    ? config?.chains.find(({ id }) => id === evmChains[name].chainId)
    : undefined
