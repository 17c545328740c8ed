import type { Config } from 'wagmi'
import { findChain } from './findChain.js'

/**
 * Returns a chain's display name.
 *
 * @param name - The interface's name, such as `base-sepolia`.
 * @returns Its name in the app's wagmi configuration; for a chain it does not configure, the interface's name
 * as capitalised words.
 */
export const getChainName = (config: Config | undefined, name: string): string =>
  findChain(config, name)?.name ??
  name.replace(/(^|-)(\w)/g, (_, dash, letter) => (dash && ' ') + letter.toUpperCase())
