'use client'
import type { Client } from '../api/index.js'
import { configError } from '../errors/configError.js'
import { useProvided } from '../hooks/checkoutContext.js'

/**
 * The client that a hook asks: the one it was given, or the provider's.
 *
 * @throws {@link KassaError} `config.provider-missing`.
 */
export const useWalletClient = (name: string, given: Client | undefined): Client => {
  const provided = useProvided()
  const client = given ?? provided?.client
  if (!client) throw configError('config.provider-missing', { name })
  return client
}
