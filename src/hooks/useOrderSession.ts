'use client'
import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { object, reader, text } from '../schema/read.js'

/** What reopens a buyer's order: its id and its secret, which is empty when a cookie holds it. */
export type OrderSession = { orderId: string; clientSecret: string }

/** Parameters of {@link useOrderSession}. */
export type UseOrderSessionParameters = {
  /** How long it lasts: as long as the tab (default), or until it is ended in any tab. */
  storage?: 'session' | 'local' | undefined
  /** Its storage key. Use another one for a second checkout on the same site. */
  key?: string | undefined
}

/** The result of {@link useOrderSession}: the session, and a function to begin or end it. */
export type UseOrderSessionResult = [
  session: OrderSession | undefined,
  setSession: (session: OrderSession | undefined) => void,
]

const readSession = /* @__PURE__ */ reader<OrderSession>(
  /* @__PURE__ */ object({ orderId: text, clientSecret: text }),
)

const listeners = new Set<() => void>()

// Sessions that the storage refused, because it is full or forbidden, as in some private windows. Empty for
// an ended session.
const unsaved = new Map<string, string>()

// This tab's sessions, because an order begun in another tab must not replace one that is being paid here.
const shown = new Map<string, string>()

const nameOf = (place: string, key: string): string => `${place} ${key}`

const notify = (): void => {
  for (const listener of listeners) listener()
}

const followTabs = ({ key, oldValue, newValue }: StorageEvent): void => {
  const name = nameOf('localStorage', key ?? '')
  // Without a key, the whole storage was cleared.
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

/** Parses a stored session; undefined for any other content. */
const parse = (kept: string | null | undefined): OrderSession | undefined => {
  try {
    const read = readSession(JSON.parse(kept ?? ''))
    return 'data' in read ? read.data : undefined
  } catch {
    return undefined
  }
}

// Separate from the hook, because the React Compiler would skip the hook for these two.
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
    // Only that other tab may end the session it is showing.
    else if (saved && ended && saved !== ended) return
    else items.removeItem(key)
    unsaved.delete(name)
  } catch {
    // An unsaved session lasts as long as the page.
  } finally {
    notify()
  }
}

/**
 * Stores which order a buyer is paying, so that a reload returns to it. A tab keeps its order when another
 * tab begins one. It changes only when the tab sets another order, or when that order is ended elsewhere.
 *
 * @returns The session, and a function that begins one or, with undefined, ends it. The session is undefined
 * on the server and during hydration, so that both render the same.
 * @example
 * ```tsx
 * import { Checkout, useCreateOrder, useOrderSession } from 'kassa'
 *
 * const payment = { method: 'base-sepolia', currency: 'eth' } as const
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
 *           New order
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
