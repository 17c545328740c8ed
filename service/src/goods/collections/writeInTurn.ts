import { createHash } from 'node:crypto'
import { attemptKey, type WriteResult } from '#base/ports/write.js'

/** Who needs a write, and for which time it asks: an order's item, a batch, an action. */
export type WriteTurn = { id: string; attempt: number }

const numberOf = ({ id, attempt }: WriteTurn): number =>
  2 + createHash('sha256').update(`${id}:${attempt}`).digest().readUIntBE(0, 6)

/**
 * Writes to a chain what several may need. They share the first attempt, since any of them may have done it; where
 * that is refused, each has attempts of its own, so that one that comes later does not hear of the refusal alone.
 */
export const writeInTurn = async (
  key: string,
  turn: WriteTurn,
  write: (key: string) => Promise<WriteResult>,
): Promise<WriteResult> => {
  const shared = await write(key)
  return shared.status === 'succeeded' ? shared : write(attemptKey(key, numberOf(turn)))
}
