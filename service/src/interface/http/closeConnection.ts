import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { ServiceEnv } from './context.js'

const maxDrainBytes = 2 * 1024 * 1024
const maxDrainMs = 1_000

/**
 * Reads and discards the rest of a body, up to a size and a time, so that the connection can be used again.
 */
const drain = async (body: ReadableStream<Uint8Array>): Promise<void> => {
  const reader = body.getReader()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), maxDrainMs)
  })
  try {
    for (let bytes = 0; bytes < maxDrainBytes; ) {
      const part = await Promise.race([reader.read(), late])
      if (!part || part.done) return
      bytes += part.value.length
    }
  } finally {
    clearTimeout(timer)
  }
}

const isUnread = ({ env }: Context<ServiceEnv>): boolean => env?.incoming?.complete === false

/**
 * Asks the caller to close the connection while the process stops, and after an answer that leaves a body
 * unread, whose rest would be taken for the next request.
 */
export const closeConnection = (isStopping: () => boolean) =>
  createMiddleware<ServiceEnv>(async (c, next) => {
    await next()
    if (isUnread(c)) {
      const { body } = c.req.raw
      if (body && !body.locked) await drain(body)
    }
    if (isStopping() || isUnread(c)) c.header('connection', 'close')
  })
