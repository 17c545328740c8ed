import type { Client } from 'viem'
import type { Config } from 'wagmi'

/** Whether the app has a connection to a chain. An attempt may be older than the app's configuration. */
export const hasNode = (config: Config, chainId: number): boolean =>
  config.chains.some(({ id }) => id === chainId)

/**
 * Returns the app's own connection to a chain, without batching. wagmi batches reads through a helper
 * contract, which a development chain may lack and which would be one more party to trust.
 */
export const getNode = (config: Config, chainId: number): Client => {
  const { batch: _, ...client } = config.getClient({ chainId })
  return client
}
