/** The values of currencies at one time. */
export type Rates = {
  /** US dollars for one whole unit of each currency with a fresh rate, as decimal strings. */
  usd: Readonly<Record<string, string>>
  /** Whether a currency lacks a rate only because a configured source does not answer. */
  isAway(currency: string): boolean
}

/** The source of rates: a fixed table, price feeds on chain, or a URL. */
export type RateSource = {
  /** Returns the current rates. A stale rate is left out. */
  read(): Promise<Rates>
}
