import * as z from 'zod/mini'
import type { Config } from '#base/config/config.js'
import type { Deps } from '#base/deps.js'
import type { SafeFetch } from '#base/ports/guard.js'
import type { RateSource } from '#base/ports/rates.js'

const Rate = z
  .union([z.string(), z.number()])
  .check(z.refine((rate) => /^\d{1,20}(\.\d{1,20})?$/.test(String(rate)) && Number(rate) > 0))

/** The rates between which every currency is. A source that errs by a factor of its decimals is outside. @units US dollars */
const plausible = { least: 1e-9, most: 1e7 }

const Answer = z.looseObject({
  updatedAt: z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text)))),
  rates: z.record(z.string(), z.unknown()),
})

const maxBytes = 1024 * 1024

/**
 * Reads rates as JSON: `{"updatedAt": "2026-01-31T12:00:00Z", "rates": {"eth": "3012.55"}}`. Entries that are
 * not positive decimal numbers are left out, and so is one for the dollar, in which rates are told.
 *
 * @throws if there is no answer, or it has another form.
 */
const readRatesUrl = async (
  safeFetch: SafeFetch,
  url: string,
): Promise<Readonly<Record<string, Quotation>>> => {
  const { bytes } = await safeFetch(url, maxBytes)
  const { updatedAt, rates } = z.parse(Answer, JSON.parse(new TextDecoder().decode(bytes)))
  const updatedAtMs = Date.parse(updatedAt)
  return Object.fromEntries(
    Object.entries(rates).flatMap(([currency, given]) => {
      const rate = z.safeParse(Rate, given)
      const name = currency.toLowerCase()
      return rate.success && name !== 'usd' ? [[name, { rate: String(rate.data), updatedAtMs }]] : []
    }),
  )
}

type RatesDeps = Pick<Deps, 'chains' | 'safeFetch' | 'log' | 'now'>

/** A rate, and when its source last set it. */
export type Quotation = { rate: string; updatedAtMs: number }

type Source = {
  /** The currency of a price feed. A URL has many. */
  currency?: string
  maxAgeMs: number
  read(): Promise<Readonly<Record<string, Quotation>>>
}

/** How long one read serves all orders. */
const keptMs = 15_000
/** How long orders wait for a source before its last reading is used, while that is fresh. */
const patienceMs = 2_000
/** How far a source's clock may be ahead of the service's. */
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
          read: () => readRatesUrl(safeFetch, url),
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

/**
 * Follows one source. A read is cached for a time, and the last one stays while the source does not answer.
 */
const follow = (source: Source, { log, now }: RatesDeps) => {
  let quotations: Readonly<Record<string, Quotation>> = {}
  let isAnswering = true
  let isStale = false
  let asking: Promise<void> | undefined
  let askedAtMs = Number.NEGATIVE_INFINITY
  let askedCount = 0
  let answeredCount = 0

  const readSource = async (): Promise<void> => {
    const count = ++askedCount
    try {
      const answer = await source.read()
      // An earlier request can answer after a later one.
      if (count < answeredCount) return
      answeredCount = count
      quotations = answer
      isAnswering = true
    } catch (err) {
      if (count < answeredCount) return
      isAnswering = false
      log.warn({ err, currency: source.currency }, 'a source of exchange rates does not answer')
    }
  }

  /** Asks the source. Its answer is used whenever it arrives, but orders wait for it only so long. */
  const ask = async (): Promise<void> => {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        isAnswering = false
        log.warn({ currency: source.currency, patienceMs }, 'a source of exchange rates is slow to answer')
        resolve()
      }, patienceMs)
    })
    await Promise.race([readSource(), late])
    clearTimeout(timer)
  }

  const isFresh = ({ updatedAtMs }: Quotation): boolean => {
    const ageMs = now() - updatedAtMs
    return ageMs <= source.maxAgeMs && ageMs >= -clockSkewMs
  }

  return {
    read: async (): Promise<Record<string, string>> => {
      // A clock that is set back must not keep a reading longer.
      if (Math.abs(now() - askedAtMs) >= keptMs) {
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

/** How many times higher or lower than the last one a rate may be, or than that of a second source. */
const maxJump = 1.25
/** How long the last rate bounds the next. A rate that stays where it jumped to counts then. */
const jumpMs = 60 * 60_000

const isFar = (one: string, other: string): boolean => {
  const ratio = Number(one) / Number(other)
  return ratio > maxJump || ratio < 1 / maxJump
}

/**
 * Bounds rates, because a source that errs by a factor would sell for nothing: each by the last one that counted, and
 * by what a second source says now. A second source that says the same confirms a jump.
 */
const createBounds = ({ log, now }: Pick<RatesDeps, 'log' | 'now'>) => {
  const last = new Map<string, { rate: string; atMs: number }>()
  const refused = new Set<string>()
  /** Returns why a rate does not count, or `undefined` if it does. */
  const explain = (currency: string, rate: string, second: string | undefined): string | undefined => {
    if (Number(rate) < plausible.least || Number(rate) > plausible.most) return 'no currency is worth that'
    if (second !== undefined) return isFar(rate, second) ? `a second source says ${second}` : undefined
    const known = last.get(currency)
    const isBound = known !== undefined && Math.abs(now() - known.atMs) < jumpMs
    return isBound && isFar(rate, known.rate) ? `it was ${known.rate} a moment ago` : undefined
  }
  return (currency: string, rate: string, second: string | undefined): boolean => {
    const reason = explain(currency, rate, second)
    if (reason === undefined) {
      last.set(currency, { rate, atMs: now() })
      refused.delete(currency)
      return true
    }
    if (!refused.has(currency))
      log.error({ currency, rate, reason }, 'an exchange rate is unlikely: its currency is off sale')
    refused.add(currency)
    return false
  }
}

/**
 * Creates the rates of a deployment. A currency with a price feed has the feed's rate or none. Any other has
 * the table's rate, or else the URL's.
 */
export const createRates = (deps: RatesDeps, config: Config['rates']): RateSource => {
  const sources = listSources(deps, config).map((source) => follow(source, deps))
  const isLikely = createBounds(deps)
  const isFed = (currency: string): boolean => config.feeds.some((feed) => feed.currency === currency)
  return {
    read: async () => {
      const read = await Promise.all(sources.map((source) => source.read()))
      const fromUrl = config.url === undefined ? {} : (read[0] ?? {})
      const fromFeeds: Record<string, string> = Object.assign(
        {},
        ...read.slice(config.url === undefined ? 0 : 1),
      )
      // A configured feed alone decides, even while it is stale.
      const unfed = Object.entries(fromUrl).filter(([currency]) => !isFed(currency))
      const likely = [...unfed, ...Object.entries(fromFeeds)].filter(
        ([currency, rate]) =>
          config.table[currency] !== undefined ||
          isLikely(currency, rate, isFed(currency) ? fromUrl[currency] : undefined),
      )
      const usd: Record<string, string> = { ...Object.fromEntries(likely), ...config.table }
      return {
        usd,
        isAway: (currency) =>
          usd[currency] === undefined && sources.some((source) => source.isAway(currency)),
      }
    },
  }
}
