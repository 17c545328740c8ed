'use client'
import type { Client } from '../api/index.js'
import { useCheckoutContext } from './checkoutContext.js'

/**
 * Returns the client of the checkout service, for the functions of `kassa/api`.
 *
 * @throws {@link KassaError} `config.provider-missing`.
 */
export const useClient = (): Client => useCheckoutContext('useClient').client
