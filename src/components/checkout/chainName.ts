import type { Config } from 'wagmi'
import { findChain } from './findChain.js'

/**
 * What a buyer calls a chain.
 *
 * @param name - As the interface calls it, such as `base-sepolia`.
 * @returns Its name in the app's own configuration of wagmi; what that does not know, in words with capitals.
 */
export const getChainName = (config: Config | undefined, name: string): string =>
  findChain(config, name)?.name ??
  name.replace(/(^|-)(\w)/g, (_, dash, letter) => (dash && ' ') + letter.toUpperCase())
