import type { Config } from '#base/config/config.js'
import type { Database } from '#base/db/database.js'
import type { Log } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { type OpenChain, openChain } from './openChain.js'
import type { Stop } from './process/createStop.js'

/** The configured chains, by name. */
export type OpenChains = ReadonlyMap<string, OpenChain>

/**
 * Refuses to start if tokens are configured wrongly. A chain that does not answer is checked once it does.
 */
const checkChains = async (log: Log, chains: OpenChains): Promise<void> => {
  const remote = [...chains].filter(([, { node }]) => !node)
  const check = async ([chain, { port }]: [string, OpenChain]): Promise<void> => {
    try {
      await port.checkTokens()
    } catch (err) {
      if (!(err instanceof ServiceError)) throw err
      log.warn({ chain, err }, 'a chain does not answer: its tokens are checked once it does')
    }
  }
  await Promise.all(remote.map(check))
}

/**
 * Opens the configured chains, and has them closed when the process ends.
 *
 * @param countError - Called each time the node of a chain does not answer.
 * @throws {@link ConfigError} if a token is configured wrongly.
 */
export const openChains = async (
  { config, log, stop }: { config: Config; log: Log; stop: Stop },
  db: Database,
  countError: (chain: string) => void,
): Promise<OpenChains> => {
  const names = Object.keys(config.chains)
  const chains = new Map(
    names.map((name) => [name, openChain({ config, db, log, onAway: () => countError(name) }, name)]),
  )
  stop.after('the chains', async () => {
    await Promise.allSettled([...chains.values()].map(({ port }) => port.close()))
  })
  await checkChains(log, chains)
  return chains
}
