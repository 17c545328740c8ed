import type { Call } from '../api/index.js'
import type { CallRecord } from './snapshot.js'

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Reads a call's order and its cost. */
export const toCallRecord = (call: Call): Omit<CallRecord, 'id'> => {
  const { method, path, status, isCancelled, fromMs, toMs, bytes } = call
  const [, orderId, rest = ''] = /^\/[\d-]+\/orders\/([^/?]+)\/?([^?]*)/.exec(path) ?? []
  return {
    atMs: fromMs,
    orderId: orderId && decode(orderId),
    method,
    path: orderId === undefined ? path : rest,
    status,
    isCancelled,
    ms: toMs - fromMs,
    bytes,
  }
}
