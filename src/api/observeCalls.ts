import type { Client } from './client.js'

/**
 * One call to the service and its cost. It contains no header and no body, and therefore no secret.
 *
 * @units times are in epoch milliseconds of this device; `bytes` is the answer's body, uncompressed.
 */
export type Call = {
  method: string
  /** Relative to `baseUrl`. */
  path: string
  /** Undefined if no complete answer arrived. */
  status: number | undefined
  /** Whether the caller cancelled it. */
  isCancelled: boolean
  fromMs: number
  toMs: number
  bytes: number
}

type Listener = (call: Call) => void

const listeners = new WeakMap<Client, Set<Listener>>()

/**
 * Observes every call of a client after it has ended, for a panel or for measuring.
 *
 * @returns A function that stops observing.
 */
export const observeCalls = (client: Client, listener: Listener): (() => void) => {
  const heard = listeners.get(client) ?? new Set()
  listeners.set(client, heard.add(listener))
  return () => void heard.delete(listener)
}

/**
 * Notifies the listeners of a call that has ended; `text` is the received body. An error of a listener does
 * not fail the call.
 */
export const reportCall = (client: Client, call: Omit<Call, 'bytes' | 'toMs'>, text: string): void => {
  for (const listener of listeners.get(client) ?? []) {
    const told = { ...call, toMs: Date.now(), bytes: new TextEncoder().encode(text).length }
    queueMicrotask(() => listener(told))
  }
}
