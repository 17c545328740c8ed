import { setTimeout as sleep } from 'node:timers/promises'

/** What a process may tell the others that share the database. */
export type Topic = 'jobs' | 'orders' | 'keys' | 'collections'

/** What a listener is called with. */
export type Listener = {
  /** Called with what a process told: this process at once, another soon. */
  onNotice(payload: string): void
  /** Called when notices of other processes may have been missed, because the database was away. */
  onGap?(): void
}

/**
 * Tells the processes that share a database that something changed. A notice may be lost, so it may only speed up what
 * is found without it.
 */
export type Notices = {
  /** Tells all listeners of a topic. What a transaction changes is told after its commit. */
  tell(topic: Topic, payload: string): void
  /**
   * Listens to a topic, on one connection for all topics of this process. Resolves when notices of other processes
   * arrive.
   */
  hear(topic: Topic, listener: Listener): Promise<() => void>
  close(): Promise<void>
}

/** How other processes are reached. */
export type NoticeChannel = {
  /** Sends payloads to all processes that listen, this one too. */
  send(payloads: string[]): Promise<void>
  listen(onPayload: (payload: string) => void, onGap: () => void): Promise<() => Promise<void>>
  onError(error: unknown): void
}

/** How long notices are collected before other processes are told. */
const collectMs = 10

/**
 * Opens the notices of a process.
 *
 * @param channel - `undefined` if no other process shares the database.
 */
export const createNotices = (processId: string, channel: NoticeChannel | undefined): Notices => {
  const listeners = new Map<Topic, Set<Listener>>()
  const waiting = new Set<string>()
  let listening: Promise<() => Promise<void>> | undefined
  let sending: Promise<void> | undefined

  const call = (topic: Topic, payload: string): void => {
    for (const { onNotice } of listeners.get(topic) ?? []) onNotice(payload)
  }
  /** One statement for all that is told at about the same time: PostgreSQL commits notifications one by one. */
  const sendWaiting = async ({ send, onError }: NoticeChannel): Promise<void> => {
    try {
      while (waiting.size) {
        await sleep(collectMs, undefined, { ref: false })
        const told = [...waiting]
        waiting.clear()
        await send(told)
      }
    } catch (error) {
      onError(error)
    } finally {
      sending = undefined
    }
  }
  const onPayload = (text: string): void => {
    const [from, topic, ...payload] = text.split(' ')
    if (from !== processId) call(topic as Topic, payload.join(' '))
  }
  const onGap = (): void => {
    for (const each of [...listeners.values()].flatMap((set) => [...set])) each.onGap?.()
  }

  return {
    tell: (topic, payload) => {
      call(topic, payload)
      if (!channel) return
      waiting.add(`${processId} ${topic} ${payload}`)
      sending ??= sendWaiting(channel)
    },
    hear: async (topic, listener) => {
      const known = listeners.get(topic) ?? new Set()
      listeners.set(topic, known.add(listener))
      if (channel) {
        listening ??= channel.listen(onPayload, onGap)
        await listening.catch((error) => {
          listening = undefined
          known.delete(listener)
          throw error
        })
      }
      return () => known.delete(listener)
    },
    close: async () => {
      await sending
      const unlisten = await listening?.catch(() => undefined)
      await unlisten?.()
    },
  }
}
