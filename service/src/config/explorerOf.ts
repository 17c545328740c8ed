import { explorerUrls } from 'kassa/schema'
import type { Config } from './config.js'

const known: Readonly<Record<string, string | undefined>> = explorerUrls

/** Returns the URL of a chain's explorer: the configured one, or the chain's best-known explorer. */
export const explorerOf = ({ chains }: Pick<Config, 'chains'>, chain: string): string | undefined =>
  chains[chain]?.explorerUrl ?? known[chain]
