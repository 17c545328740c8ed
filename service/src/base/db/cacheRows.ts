import { createCache } from '../lib/createCache.js'
import type { Notices, Topic } from './notices.js'

type CacheDeps = {
  notices: Notices
  log: { warn(fields: object, message: string): void }
  now(): number
}

/** How long a row may be out of date where no notice of its change arrives. */
const keepMs = 5_000
const maxRows = 1_000

/**
 * Caches rows in this process until a process that changes such rows says so. Without a connection for notices,
 * nothing is cached.
 *
 * @returns Reads a row by its key, from memory or with the function given.
 */
export const cacheRows = <Row>(
  { notices, log, now }: CacheDeps,
  topic: Topic,
): ((key: string, read: () => Promise<Row>) => Promise<Row>) => {
  const cache = createCache<Row>(maxRows, keepMs, now)
  let isListening = false
  notices.hear(topic, { onNotice: cache.clear, onGap: cache.clear }).then(
    () => {
      isListening = true
    },
    (err) => log.warn({ err, topic }, 'caching disabled: LISTEN is unavailable'),
  )
  return (key, read) => (isListening ? cache.get(key, read) : read())
}
