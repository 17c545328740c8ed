'use client'

import { useSyncExternalStore } from 'react'

const subscribe = () => () => {}

/** Whether the browser has taken over: false on the server and while hydrating, so that both render the same. */
export const useIsHydrated = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  )
