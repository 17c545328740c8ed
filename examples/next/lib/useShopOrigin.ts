'use client'

import { useSyncExternalStore } from 'react'

const subscribe = () => () => undefined

/** Returns this shop's address as the browser shows it, such as `https://recto.example`; undefined on the server. */
export const useShopOrigin = (): string | undefined =>
  useSyncExternalStore(
    subscribe,
    () => window.location.origin,
    () => undefined,
  )
