/** What currencies are worth at one moment. */
export type Rates = {
  /** US dollars for one whole unit of each currency with a fresh rate, as decimal strings. */
  usd: Readonly<Record<string, string>>
  /** Whether a currency lacks a rate only because a configured source does not answer. */
  isAway(currency: string): boolean
}

/** Where rates come from: a fixed table, price feeds on chain, a URL. */
export type RateSource = {
  /** Returns the rates of this moment. A stale rate is left out. */
  read(): Promise<Rates>
}
