'use client'
import { useCallback, useSyncExternalStore } from 'react'

const getServerNow = (): undefined => undefined

/**
 * Returns the time and re-renders at every interval.
 *
 * @param intervalMs - The interval; the returned time is a multiple of it.
 * @returns Epoch milliseconds; undefined on the server and during hydration, so that both render the same.
 */
export const useNow = (intervalMs: number): number | undefined => {
  const subscribe = useCallback(
    (listener: () => void) => {
      const timer = setInterval(listener, intervalMs)
      return () => clearInterval(timer)
    },
    [intervalMs],
  )
  // Rounded up, so that a countdown does not look open when it has ended.
  const getNow = (): number | undefined => Math.ceil(Date.now() / intervalMs) * intervalMs
  return useSyncExternalStore(subscribe, getNow, getServerNow)
}
