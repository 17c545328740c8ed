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
/** Receives a call that has ended, and the received body. */
type Report = (call: Omit<Call, 'bytes' | 'toMs'>, text: string) => void

const reports = new WeakMap<Client, Set<Report>>()

/**
 * Observes every call of a client after it has ended, for a panel or for measuring. An error of the listener does not
 * fail the call.
 *
 * @returns A function that stops observing.
 */
export const observeCalls = (client: Client, listener: Listener): (() => void) => {
  const heard = reports.get(client) ?? new Set()
  const report: Report = (call, text) => {
    const told = { ...call, toMs: Date.now(), bytes: new TextEncoder().encode(text).length }
    queueMicrotask(() => listener(told))
  }
  reports.set(client, heard.add(report))
  return () => void heard.delete(report)
}

/** Reports a call that has ended to what observes its client. */
export const reportCall = (client: Client, ...ended: Parameters<Report>): void => {
  for (const report of reports.get(client) ?? []) report(...ended)
}
