import type { ChainPort } from '../chains/port.js'
import type { Database } from '../db/database.js'
import { inTime } from '../http/inTime.js'
import { readCursor } from '../payments/chainCursor.js'

/** The state of a chain, as far as it answered. */
export type ChainReading = {
  chain: string
  isUp: boolean
  headAgeSeconds?: number
  lagBlocks?: number
  lookAgeSeconds?: number
  balance?: { currency: string; coins: number }
}

/** Reads a chain's state, and from the database how far it was searched for payments. */
export const readChain = async (db: Database, port: ChainPort, nowMs: number): Promise<ChainReading> => {
  const [head, units, cursor] = await Promise.all([
    inTime(port.getHead()),
    inTime(port.getOperatorBalance()),
    inTime(readCursor(db, port.chain)),
  ])
  const [native] = port.currencies
  return {
    chain: port.chain,
    isUp: head !== undefined,
    ...(head && { headAgeSeconds: Math.max(0, nowMs - head.timestampMs) / 1000 }),
    ...(cursor && { lookAgeSeconds: Math.max(0, nowMs - cursor.savedAtMs) / 1000 }),
    ...(head && cursor?.number && { lagBlocks: Math.max(0, Number(head.number - cursor.number)) }),
    // For display only: this format has no exact numbers.
    ...(units !== undefined &&
      native && { balance: { currency: native.currency, coins: Number(units) / 10 ** native.decimals } }),
  }
}
