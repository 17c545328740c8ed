'use client'

import { useSyncExternalStore } from 'react'

const subscribe = () => () => {}

/**
 * Whether the browser has hydrated the page: false on the server and during hydration, so that both render
 * the same.
 */
export const useIsHydrated = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  )
