import type { Config } from '../config.js'
import type { Deps } from '../deps.js'
import type { RateSource } from './port.js'
import { readRatesUrl } from './readRatesUrl.js'

type RatesDeps = Pick<Deps, 'chains' | 'safeFetch' | 'log' | 'now'>

/** A rate, and when its source last set it. */
export type Quotation = { rate: string; updatedAtMs: number }

type Source = {
  /** The one currency of a price feed; a URL has many. */
  currency?: string
  maxAgeMs: number
  read(): Promise<Readonly<Record<string, Quotation>>>
}

/** How long one reading serves every order. */
const keptMs = 15_000
/** How far the clock of a source may be ahead of ours. */
const clockSkewMs = 120_000

const listSources = (
  { chains, safeFetch }: RatesDeps,
  { feeds, url, maxAgeMs }: Config['rates'],
): Source[] => [
  ...(url === undefined
    ? []
    : [
        {
          maxAgeMs,
          read: async () => {
            const quotations = Object.entries(await readRatesUrl(safeFetch, url))
            // Where a feed is configured it alone decides, also while it is stale.
            const isFed = (currency: string) => feeds.some((feed) => feed.currency === currency)
            return Object.fromEntries(quotations.filter(([currency]) => !isFed(currency)))
          },
        },
      ]),
  ...feeds.map(({ chain, currency, address, maxAgeMs: ownMaxAgeMs = maxAgeMs }) => ({
    currency,
    maxAgeMs: ownMaxAgeMs,
    read: async () => {
      const port = chains.get(chain)
      if (!port) throw new Error(`the chain ${chain} is not enabled`)
      const quotation = await port.readRateFeed(address)
      return quotation ? { [currency]: quotation } : {}
    },
  })),
]

/** Follows one source: a reading is kept for a while, and the last one stays while the source does not answer. */
const follow = (source: Source, { log, now }: RatesDeps) => {
  let quotations: Readonly<Record<string, Quotation>> = {}
  let isAnswering = true
  let isStale = false
  let asking: Promise<void> | undefined
  let askedAtMs = Number.NEGATIVE_INFINITY

  const ask = async (): Promise<void> => {
    try {
      quotations = await source.read()
      isAnswering = true
    } catch (err) {
      isAnswering = false
      log.warn({ err, currency: source.currency }, 'a source of exchange rates does not answer')
    }
  }

  const isFresh = ({ updatedAtMs }: Quotation): boolean => {
    const ageMs = now() - updatedAtMs
    return ageMs <= source.maxAgeMs && ageMs >= -clockSkewMs
  }

  return {
    read: async (): Promise<Record<string, string>> => {
      if (now() - askedAtMs >= keptMs) {
        askedAtMs = now()
        asking = ask()
      }
      await asking
      const fresh = Object.entries(quotations).filter(([, quotation]) => isFresh(quotation))
      const wasStale = isStale
      isStale = fresh.length < Object.keys(quotations).length
      if (isStale && !wasStale)
        log.warn({ quotations }, 'an exchange rate is too old: its currency is off sale')
      return Object.fromEntries(fresh.map(([currency, { rate }]) => [currency, rate]))
    },
    isAway: (currency: string): boolean =>
      !isAnswering && (source.currency === undefined || source.currency === currency),
  }
}

/**
 * Puts the rates of a deployment together. A currency with a price feed has the feed's rate or none. Any other has that
 * of the table, or else of the URL.
 */
export const createRates = (deps: RatesDeps, config: Config['rates']): RateSource => {
  const sources = listSources(deps, config).map((source) => follow(source, deps))
  return {
    read: async () => {
      const read = await Promise.all(sources.map((source) => source.read()))
      const usd: Record<string, string> = Object.assign({}, ...read, config.table)
      return {
        usd,
        isAway: (currency) =>
          usd[currency] === undefined && sources.some((source) => source.isAway(currency)),
      }
    },
  }
}
