import type { ChainPort } from '../chains/port.js'
import type { Database } from '../db/database.js'
import { inTime } from '../http/inTime.js'
import { readCursor } from '../payments/chainCursor.js'

/** How a chain is doing, as far as it answered. */
export type ChainReading = {
  chain: string
  isUp: boolean
  headAgeSeconds?: number
  lagBlocks?: number
  lookAgeSeconds?: number
  balance?: { currency: string; coins: number }
}

/** Asks a chain and the database how far payments were looked for on it. */
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
    // To be looked at, not reckoned with: there is no exact number in this format.
    ...(units !== undefined &&
      native && { balance: { currency: native.currency, coins: Number(units) / 10 ** native.decimals } }),
  }
}
