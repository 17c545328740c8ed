'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { useCheckoutContext } from '../hooks/checkoutContext.js'
import { createDevtools, type Devtools } from './createDevtools.js'
import type { DevtoolsParameters } from './createOrderBook.js'
import type { DevtoolsSnapshot } from './snapshot.js'

type Shared = { parameters: DevtoolsParameters; devtools: Devtools }

const shared = new WeakMap<DevtoolsParameters['listeners'], Shared>()

/**
 * Returns the data of one provider, the same for every panel and hook below it while the parameters stay the
 * same.
 */
const getDevtools = (parameters: DevtoolsParameters): Devtools => {
  const { client, queryClient, attemptStore, listeners } = parameters
  const known = shared.get(listeners)
  const isSame =
    known?.parameters.client === client &&
    known.parameters.queryClient === queryClient &&
    known.parameters.attemptStore === attemptStore
  if (known && isSame) return known.devtools
  const devtools = createDevtools(parameters)
  shared.set(listeners, { parameters, devtools })
  return devtools
}

/** Result of {@link useCheckoutDevtools}: the collected data and the actions. */
export type UseCheckoutDevtoolsResult = DevtoolsSnapshot &
  Pick<Devtools, 'ask' | 'fund' | 'force' | 'release'>

/** Returns the data of the surrounding panel, which keeps collecting while it has a subscriber. */
export const useDevtools = (): Devtools => {
  const { client, attemptStore, listeners } = useCheckoutContext('useCheckoutDevtools')
  return getDevtools({ client, attemptStore, listeners, queryClient: useQueryClient(), now: Date.now })
}

/**
 * Returns the panel's data without the panel: the history and the requests of the orders below a
 * `CheckoutProvider`. The values are plain, the last 200 of each kind, without secrets.
 *
 * @throws {@link KassaError} `config.provider-missing`.
 * @example
 * ```tsx
 * import { useCheckoutDevtools } from 'kassa/devtools'
 *
 * export const Cost = () => {
 *   const { calls } = useCheckoutDevtools()
 *   return <p>{calls.length} requests so far</p>
 * }
 * ```
 */
export const useCheckoutDevtools = (): UseCheckoutDevtoolsResult => {
  const { subscribe, getSnapshot, ask, fund, force, release } = useDevtools()
  const snapshot = useSyncExternalStore(subscribe, getSnapshot, getSnapshot)
  return { ...snapshot, ask, fund, force, release }
}
