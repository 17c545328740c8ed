import type { Client } from './client.js'

/**
 * One call of the service and what it cost. It holds no header and no body, so no secret either.
 *
 * @units times are in epoch milliseconds of this device; `bytes` is the answer's body, uncompressed.
 */
export type Call = {
  method: string
  /** Below `baseUrl`. */
  path: string
  /** Undefined when no whole answer came. */
  status: number | undefined
  /** Whether the caller gave it up. */
  isCancelled: boolean
  fromMs: number
  toMs: number
  bytes: number
}

type Listener = (call: Call) => void

const listeners = new WeakMap<Client, Set<Listener>>()

/**
 * Hears of every call a client makes, once it has ended: for a panel or for measuring.
 *
 * @returns Stops listening.
 */
export const observeCalls = (client: Client, listener: Listener): (() => void) => {
  const heard = listeners.get(client) ?? new Set()
  listeners.set(client, heard.add(listener))
  return () => void heard.delete(listener)
}

/** Tells of a call that has ended; `text` is the body that came. A listener's own failure is not the call's. */
export const tellCall = (client: Client, call: Omit<Call, 'bytes' | 'toMs'>, text: string): void => {
  for (const listener of listeners.get(client) ?? []) {
    const told = { ...call, toMs: Date.now(), bytes: new TextEncoder().encode(text).length }
    queueMicrotask(() => listener(told))
  }
}
