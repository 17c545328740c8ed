'use client'
import { useCallback, useSyncExternalStore } from 'react'

const getServerNow = (): undefined => undefined

/**
 * Reads the clock and reads it again at every beat.
 *
 * @param intervalMs - The beat; the time returned is a multiple of it.
 * @returns Epoch milliseconds; undefined on the server and while hydrating, so that both render the same.
 */
export const useNow = (intervalMs: number): number | undefined => {
  const subscribe = useCallback(
    (listener: () => void) => {
      const timer = setInterval(listener, intervalMs)
      return () => clearInterval(timer)
    },
    [intervalMs],
  )
  // Rounded up: what is counted down to must not still look open when it is over.
  const getNow = (): number | undefined => Math.ceil(Date.now() / intervalMs) * intervalMs
  return useSyncExternalStore(subscribe, getNow, getServerNow)
}
