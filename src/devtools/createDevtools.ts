import { type Client, observeCalls } from '../api/index.js'
import { createStore } from '../internal/store.js'
import type { CheckoutEvent } from '../pay/event.js'
import { createLog } from './createLog.js'
import type { DevtoolsParameters } from './createOrderBook.js'
import { createOrderBook, type Note } from './createOrderBook.js'
import type { ForcedStateName } from './forcedStates.js'
import type { CallRecord, DevtoolsSnapshot, SandboxRecord, TimelineRecord } from './snapshot.js'
import { toCallRecord } from './toCallRecord.js'
import { toTimeline } from './toTimeline.js'

/** What a developer can do with a sandbox. */
type Sandbox = {
  get(): SandboxRecord
  /** Asks once whether the service is a sandbox, and stores the answer. */
  ask(): Promise<void>
  /**
   * Requests test funds for an address.
   *
   * @returns Whether the sandbox has sent them.
   */
  fund(chain: string, address: string): Promise<boolean>
}

const readChains = async (response: Response): Promise<string[] | undefined> => {
  if (!response.ok) return undefined
  const body: unknown = await response.json()
  const chains = typeof body === 'object' && body !== null && 'chains' in body ? body.chains : undefined
  return typeof chains === 'object' && chains !== null ? Object.keys(chains) : undefined
}

/** Finds out whether the service is a sandbox, which has an endpoint `/sandbox` beside its interface. */
const createSandbox = (client: Client, onChange: () => void): Sandbox => {
  const url = `${client.baseUrl.replace(/\/api$/, '')}/sandbox`
  let record: SandboxRecord = { status: 'unknown', chains: [] }
  const set = (next: SandboxRecord): void => {
    record = next
    onChange()
  }
  return {
    get: () => record,
    ask: async () => {
      if (!['unknown', 'away'].includes(record.status)) return
      set({ status: 'asking', chains: [] })
      try {
        const chains = await readChains(await client.fetch(url))
        set(chains ? { status: 'ready', chains } : { status: 'none', chains: [] })
      } catch {
        set({ status: 'away', chains: [] })
      }
    },
    fund: async (chain, address) => {
      if (!record.chains.includes(chain)) return false
      const init = { method: 'POST', headers: { 'content-type': 'application/json' } }
      return client.fetch(`${url}/fund`, { ...init, body: JSON.stringify({ chain, address }) }).then(
        ({ ok }) => ok,
        () => false,
      )
    },
  }
}

/** The panel's data and actions. It collects data while it has a subscriber. */
export type Devtools = Pick<Sandbox, 'ask' | 'fund'> & {
  getSnapshot(): DevtoolsSnapshot
  subscribe(listener: () => void): () => void
  /** Shows an order in a simulated state, on a sandbox, if `canBeForcedTo` names the state. */
  force(orderId: string, name: ForcedStateName): void
  /** Shows the real order again. */
  release(orderId: string): void
}

// The store emits no events when an attempt changes, so it is polled at this interval.
const attemptsMs = 1_000

/** Creates the headless data of the panel: the history of one client's orders, and their requests. */
export const createDevtools = (parameters: DevtoolsParameters): Devtools => {
  const { client, queryClient, listeners, now } = parameters
  const timeline = createLog<Omit<TimelineRecord, 'id'>>()
  const calls = createLog<Omit<CallRecord, 'id'>>()
  const note = (orderId: string, entry: Note): void =>
    timeline.add({ ...entry, atMs: now(), orderId, isForced: book.isForced(orderId) })
  let subscribers = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const update = (): void => {
    if (subscribers === 0) return
    clearTimeout(timer)
    const orders = book.read(sandbox.get().status === 'ready')
    const hasOpen = orders.some(({ attempts }) => attempts.some(({ isOpen }) => isOpen))
    if (hasOpen) timer = setTimeout(update, attemptsMs)
    store.set({ orders, timeline: timeline.list(), calls: calls.list(), sandbox: sandbox.get() })
  }
  const book = createOrderBook(parameters, note, update)
  const sandbox = createSandbox(client, update)
  const store = createStore<DevtoolsSnapshot>({ orders: [], timeline: [], calls: [], sandbox: sandbox.get() })

  const onEvent = (event: CheckoutEvent): void => {
    if (event.type === 'payment.checked') {
      const { type: _, orderId, ...checked } = event
      book.keepChecked(orderId, checked)
    }
    note(event.orderId, toTimeline(event))
    update()
  }

  const start = (): (() => void) => {
    const stopCalls = observeCalls(client, (call) => {
      calls.add(toCallRecord(call))
      update()
    })
    const stopCache = queryClient.getQueryCache().subscribe(({ type, query }) => {
      const isNews = type === 'added' || type === 'updated' || type === 'removed'
      if (isNews && query.queryKey[0] === 'kassa') update()
    })
    listeners.add(onEvent)
    update()
    return () => {
      stopCalls()
      stopCache()
      listeners.delete(onEvent)
      book.close()
      clearTimeout(timer)
    }
  }

  let stop = (): void => undefined
  return {
    getSnapshot: store.get,
    subscribe: (listener) => {
      const unsubscribe = store.subscribe(listener)
      subscribers += 1
      if (subscribers === 1) stop = start()
      return () => {
        unsubscribe()
        subscribers -= 1
        if (subscribers === 0) stop()
      }
    },
    ask: sandbox.ask,
    fund: async (chain, address) => {
      const isFunded = await sandbox.fund(chain, address)
      const queryKey = ['kassa', 'order', { baseUrl: client.publicBaseUrl ?? client.baseUrl }]
      if (isFunded) void queryClient.refetchQueries({ queryKey })
      return isFunded
    },
    force: (orderId, name) => {
      const record = store.get().orders.find((order) => order.orderId === orderId)
      if (record?.canBeForcedTo.includes(name)) book.force(orderId, name)
      update()
    },
    release: (orderId) => {
      book.release(orderId)
      update()
    },
  }
}
