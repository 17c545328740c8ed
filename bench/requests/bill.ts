import type { Exchange } from './meter.js'

/** What following an order cost. */
export type Bill = {
  reads: number
  /** Answers without a body. */
  unchanged: number
  whole: number
  preflights: number
  writes: number
  sentBytes: number
  receivedBytes: number
  totalBytes: number
}

const sum = (exchanges: readonly Exchange[], read: (exchange: Exchange) => number): number =>
  exchanges.reduce((total, exchange) => total + read(exchange), 0)

/** Adds up what went over the wire; an answer that no reader can use is a fault of the bench. */
export const billFor = (exchanges: readonly Exchange[]): Bill => {
  const refused = exchanges.find(({ status }) => status >= 400)
  if (refused) throw new Error(`${refused.method} of an order was answered with ${refused.status}.`)
  const reads = exchanges.filter(({ method }) => method === 'GET')
  const preflights = exchanges.filter(({ method }) => method === 'OPTIONS').length
  const unchanged = reads.filter(({ status }) => status === 304).length
  const sentBytes = sum(exchanges, (exchange) => exchange.sentBytes)
  const receivedBytes = sum(exchanges, (exchange) => exchange.receivedBytes)
  return {
    reads: reads.length,
    unchanged,
    whole: reads.length - unchanged,
    preflights,
    writes: exchanges.length - reads.length - preflights,
    sentBytes,
    receivedBytes,
    totalBytes: sentBytes + receivedBytes,
  }
}
