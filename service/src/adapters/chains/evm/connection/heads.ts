import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'

/** The new blocks of a chain, as its node announces them. Without a word of the node, nothing is heard of them. */
export type Heads = {
  /** Listens to a node. It listens again by itself after the connection broke. */
  listen(url: string): void
  /** Calls back for each new block, until the returned function is called. */
  watch(onHead: () => void): () => void
  /** Waits for the next block, at most for a time in milliseconds. */
  next(mostMs: number): Promise<void>
  close(): void
}

const subscribe = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] })
/** How often the node has to show that it is there, and the pause before it is asked again. */
const pingMs = 20_000
const retryMs = 2_000

const isHead = (text: string): boolean => {
  try {
    return (JSON.parse(text) as { method?: string }).method === 'eth_subscription'
  } catch {
    return false
  }
}

/** Opens one connection. Returns the function that ends it. */
const open = (url: string, onHead: () => void, onEnd: () => void): (() => void) => {
  const socket = new WebSocket(url, { handshakeTimeout: pingMs, maxPayload: 1_000_000 })
  let isAnswering = true
  const pinging = setInterval(() => {
    if (!isAnswering) return socket.terminate()
    isAnswering = false
    if (socket.readyState === WebSocket.OPEN) socket.ping()
  }, pingMs)
  pinging.unref()
  socket.on('open', () => socket.send(subscribe))
  socket.on('pong', () => {
    isAnswering = true
  })
  socket.on('message', (data) => {
    isAnswering = true
    if (isHead(String(data))) onHead()
  })
  // Polling finds what is not announced, so a node without subscriptions is no failure.
  socket.on('error', () => {})
  socket.on('close', () => {
    clearInterval(pinging)
    onEnd()
  })
  return () => socket.terminate()
}

/** Creates the listener of a chain, which listens to no node yet. */
export const createHeads = (): Heads => {
  const watchers = new Set<() => void>()
  let current: { url: string; end: () => void } | undefined

  const onHead = (): void => {
    for (const tell of [...watchers]) tell()
  }
  const connect = (url: string): void => {
    const own = { url, end: () => {} }
    current = own
    own.end = open(url, onHead, () => {
      if (current !== own) return
      const retry = setTimeout(() => current === own && connect(url), retryMs)
      retry.unref()
    })
  }
  const watch = (tell: () => void): (() => void) => {
    watchers.add(tell)
    return () => watchers.delete(tell)
  }
  return {
    listen: (url) => {
      if (current?.url === url) return
      const last = current
      connect(url)
      last?.end()
    },
    watch,
    next: async (mostMs) => {
      if (!current) return void (await sleep(mostMs))
      let stop = () => {}
      const heard = new Promise<void>((resolve) => {
        stop = watch(resolve)
      })
      const ending = new AbortController()
      await Promise.race([heard, sleep(mostMs, undefined, { signal: ending.signal }).catch(() => {})])
      ending.abort()
      stop()
    },
    close: () => {
      const last = current
      current = undefined
      last?.end()
    },
  }
}
