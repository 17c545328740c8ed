import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'

/** The new blocks of a chain, as its node announces them. Without a word of the node, nothing is heard of them. */
export type Heads = {
  /** Listens to a node. It listens again by itself after the connection broke. */
  listen(url: string): void
  /** Calls back for each new block with its number, until the returned function is called. */
  watch(onHead: (number?: bigint) => void): () => void
  /** Whether the node has announced a block, or taken the subscription, a moment ago. */
  isLive(): boolean
  /** Waits for the next block, at most for a time in milliseconds. */
  next(mostMs: number): Promise<void>
  close(): void
}

const subscribe = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] })
/** How often the node has to show that it is there, and the pause before it is asked again. */
const pingMs = 20_000
const retryMs = 2_000

/**
 * How long a node may be silent and still counts as one that announces its blocks. Some drop a subscription and keep the
 * connection.
 */
const silentMs = 15_000

/** What a message of the node says: a new block, that it takes the subscription, or neither. */
type Word = { type: 'head'; number: bigint | undefined } | { type: 'subscribed' } | undefined

const readNumber = (number: unknown): bigint | undefined =>
  typeof number === 'string' && /^0x[0-9a-f]+$/i.test(number) ? BigInt(number) : undefined

const readWord = (text: string): Word => {
  try {
    const { id, method, result, params } = JSON.parse(text) as {
      id?: unknown
      method?: unknown
      result?: unknown
      params?: { result?: { number?: unknown } }
    }
    if (method === 'eth_subscription') return { type: 'head', number: readNumber(params?.result?.number) }
    return id === 1 && typeof result === 'string' ? { type: 'subscribed' } : undefined
  } catch {
    return undefined
  }
}

/** Opens one connection. Returns the function that ends it. */
const open = (url: string, onWord: (word: Word) => void, onEnd: () => void): (() => void) => {
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
    onWord(readWord(String(data)))
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
  const watchers = new Set<(number?: bigint) => void>()
  let current: { url: string; end: () => void; heardAtMs: number } | undefined

  const connect = (url: string): void => {
    const own = { url, end: () => {}, heardAtMs: Number.NEGATIVE_INFINITY }
    current = own
    const onWord = (word: Word): void => {
      if (!word) return
      own.heardAtMs = performance.now()
      if (word.type === 'head') for (const tell of [...watchers]) tell(word.number)
    }
    own.end = open(url, onWord, () => {
      own.heardAtMs = Number.NEGATIVE_INFINITY
      if (current !== own) return
      const retry = setTimeout(() => current === own && connect(url), retryMs)
      retry.unref()
    })
  }
  const watch = (tell: (number?: bigint) => void): (() => void) => {
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
    isLive: () => current !== undefined && performance.now() - current.heardAtMs < silentMs,
    next: async (mostMs) => {
      if (!current) return void (await sleep(mostMs))
      let stop = () => {}
      const heard = new Promise<void>((resolve) => {
        stop = watch(() => resolve())
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
