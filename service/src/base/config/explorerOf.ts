import { explorerUrls } from 'kassa/schema'
import type { Config } from './config.js'

const known: Readonly<Record<string, string | undefined>> = explorerUrls

/**
 * Returns the URL of a chain's explorer: the configured one, or the chain's best-known explorer. Those see no local
 * chain, so the sandbox shows it.
 */
export const explorerOf = (
  { chains, publicUrl }: Pick<Config, 'chains' | 'publicUrl'>,
  { chain, isLocal }: { chain: string; isLocal: boolean },
): string | undefined => {
  const own = chains[chain]?.explorerUrl
  return own ?? (isLocal ? `${publicUrl}/sandbox/explorer/${chain}` : known[chain])
}
