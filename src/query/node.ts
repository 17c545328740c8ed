import type { Client } from 'viem'
import type { Config } from 'wagmi'

/** Whether the app can ask a chain anything: an attempt may be older than its configuration. */
export const hasNode = (config: Config, chainId: number): boolean =>
  config.chains.some(({ id }) => id === chainId)

/**
 * The app's own connection to a chain, asked one question at a time: wagmi bundles reads through a helper
 * contract, which a development chain may lack, and which would put one more party between us and the truth.
 */
export const getNode = (config: Config, chainId: number): Client => {
  const { batch: _, ...client } = config.getClient({ chainId })
  return client
}
