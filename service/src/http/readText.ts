import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Context } from 'hono'
import { ServiceError } from '../errors.js'

const utf8 = new TextDecoder('utf-8', { fatal: true })

const largeBytes = 64 * 1024
let lastTurn = Promise.resolve()

/** Waits for a turn of the event loop that no other large body has. */
const takeTurn = (): Promise<void> => {
  lastTurn = lastTurn.then(() => nextTurn())
  return lastTurn
}

/**
 * Reads the text of a body. Of large bodies one is passed on in each turn of the event loop: checking one takes
 * milliseconds, and a burst of them would keep every other request waiting.
 *
 * @throws {@link ServiceError} `input-invalid` when it is not UTF-8.
 */
export const readText = async (c: Context): Promise<string> => {
  const bytes = await c.req.arrayBuffer()
  if (bytes.byteLength > largeBytes) await takeTurn()
  try {
    return utf8.decode(bytes)
  } catch {
    throw new ServiceError('input-invalid', 'body: not valid UTF-8')
  }
}
