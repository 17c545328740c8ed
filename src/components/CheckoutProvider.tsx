'use client'
import { type ReactNode, useMemo } from 'react'
import type { Client } from '../api/index.js'
import { createLedger, type LedgerStorage } from '../chain/index.js'
import { CheckoutContext } from '../hooks/checkoutContext.js'

/** What {@link CheckoutProvider} takes. */
export type CheckoutProviderProps = {
  /** The checkout service, made by `createClient`; keep it outside the component. */
  client: Client
  /** Where attempts at paying are remembered across reloads: localStorage by default. */
  storage?: LedgerStorage | undefined
  /** Where `ipfs://` pictures are read from: the service's own gateway by default. */
  imageGateway?: string | undefined
  children: ReactNode
}

/**
 * Renders no element. Gives the checkout service to the hooks and parts below it; goes inside wagmi's and
 * TanStack Query's providers.
 */
export const CheckoutProvider = ({
  client,
  storage,
  imageGateway,
  children,
}: CheckoutProviderProps): ReactNode => {
  const value = useMemo(
    () => ({
      client,
      ledger: createLedger(storage),
      imageGateway: imageGateway ?? client.baseUrl.replace(/\/api$/, '/ipfs/'),
    }),
    [client, storage, imageGateway],
  )
  return <CheckoutContext value={value}>{children}</CheckoutContext>
}
