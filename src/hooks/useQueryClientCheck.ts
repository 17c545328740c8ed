'use client'
import { QueryClientContext } from '@tanstack/react-query'
import { useContext } from 'react'
import type { Client } from '../api/index.js'
import { providerError } from '../errors/providerError.js'

/**
 * Checks that a provider stands inside TanStack Query's. A hook below would fail with TanStack's own error, which
 * knows nothing of a second copy of the package: its provider fills a context that this copy does not read.
 *
 * @param name - The provider's name, for the error message.
 * @param client - The service's client, which JavaScript may have left out.
 * @throws {@link KassaError} `config.query-client-missing`; `config.client-missing`.
 */
export const useQueryClientCheck = (name: string, client: Client | undefined): void => {
  if (!useContext(QueryClientContext)) throw providerError('config.query-client-missing', { name })
  if (!client) throw providerError('config.client-missing', { name })
}
