'use client'
import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { object, reader, text } from '../schema/read.js'

/** What brings a buyer back to their order: which one, and what opens it (empty where a cookie does). */
export type OrderSession = { orderId: string; clientSecret: string }

/** What {@link useOrderSession} takes. */
export type UseOrderSessionParameters = {
  /** How long it lasts: as long as the tab, by default, or until it is ended, in every tab. */
  storage?: 'session' | 'local' | undefined
  /** What it is kept under; another one for a second checkout on the same site. */
  key?: string | undefined
}

/** What {@link useOrderSession} returns: the session, and how to begin or end it. */
export type UseOrderSessionResult = [
  session: OrderSession | undefined,
  setSession: (session: OrderSession | undefined) => void,
]

const readSession = /* @__PURE__ */ reader<OrderSession>(
  /* @__PURE__ */ object({ orderId: text, clientSecret: text }),
)

const listeners = new Set<() => void>()

// What the storage would not take: full, or forbidden, as in some private windows. Empty for a session that has ended.
const unsaved = new Map<string, string>()

// What is shown in this tab: another tab's order must not take the place of one that is being paid here.
const shown = new Map<string, string>()

const nameOf = (place: string, key: string): string => `${place} ${key}`

const notify = (): void => {
  for (const listener of listeners) listener()
}

const followTabs = ({ key, oldValue, newValue }: StorageEvent): void => {
  const name = nameOf('localStorage', key ?? '')
  // No key: everything was cleared.
  if (!key) shown.clear()
  else if (!newValue && shown.get(name) === oldValue) shown.delete(name)
  if (!unsaved.get(name)) unsaved.delete(name)
  notify()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  globalThis.addEventListener?.('storage', followTabs)
  return () => {
    listeners.delete(listener)
    if (listeners.size) return
    shown.clear()
    globalThis.removeEventListener?.('storage', followTabs)
  }
}

const noSession = (): undefined => undefined

/** Reads a session that was kept; undefined for what anybody else has written there. */
const parse = (kept: string | null | undefined): OrderSession | undefined => {
  try {
    const read = readSession(JSON.parse(kept ?? ''))
    return 'data' in read ? read.data : undefined
  } catch {
    return undefined
  }
}

// Apart from the hook, these two, which the React Compiler would leave alone for them.
const readKept = (place: string, key: string): string | null | undefined => {
  const name = nameOf(place, key)
  try {
    const kept = unsaved.get(name) ?? shown.get(name) ?? Reflect.get(globalThis, place).getItem(key)
    if (parse(kept)) shown.set(name, kept)
    return kept
  } catch {
    return undefined
  }
}

const keep = (place: string, key: string, session: OrderSession | undefined): void => {
  const name = nameOf(place, key)
  const { orderId, clientSecret } = session ?? {}
  const written = JSON.stringify({ orderId, clientSecret })
  const ended = shown.get(name)
  shown.delete(name)
  unsaved.set(name, session ? written : '')
  try {
    const items: Storage = Reflect.get(globalThis, place)
    const saved = items.getItem(key)
    if (session) items.setItem(key, written)
    // What another tab is at by now is for that tab to end.
    else if (saved && ended && saved !== ended) return
    else items.removeItem(key)
    unsaved.delete(name)
  } catch {
    // What is not saved lasts as long as the page.
  } finally {
    notify()
  }
}

/**
 * Keeps which order a buyer is at, so that a reload brings them back to it. A tab that shows one stays at it, whatever
 * order is begun in another, until it sets another itself, or that very one is ended elsewhere.
 *
 * @returns The session, and a function that begins or, with undefined, ends it. The session is undefined on the server
 * and while hydrating, so that both render the same.
 * @example
 * ```tsx
 * import { Checkout, useCreateOrder, useOrderSession } from 'kassa'
 *
 * const payment = { method: 'base-sepolia', currency: 'eth' }
 *
 * export function Shop() {
 *   const [session, setSession] = useOrderSession()
 *   const order = useCreateOrder({
 *     mutation: {
 *       onSuccess: ({ order: { orderId }, clientSecret }) => setSession({ orderId, clientSecret }),
 *     },
 *   })
 *   if (session)
 *     return (
 *       <>
 *         <Checkout.Panel {...session} />
 *         <button type="button" onClick={() => setSession(undefined)}>
 *           Buy another
 *         </button>
 *       </>
 *     )
 *   return (
 *     <button type="button" onClick={() => order.mutate({ cart: 'poster', payment })}>
 *       Buy
 *     </button>
 *   )
 * }
 * ```
 */
export const useOrderSession = ({
  storage = 'session',
  key = 'kassa.order',
}: UseOrderSessionParameters = {}): UseOrderSessionResult => {
  const place = `${storage}Storage`
  const kept = useSyncExternalStore(subscribe, () => readKept(place, key), noSession)
  const setSession = useCallback(
    (session: OrderSession | undefined) => keep(place, key, session),
    [place, key],
  )
  return [useMemo(() => parse(kept), [kept]), setSession]
}
