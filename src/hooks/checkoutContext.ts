'use client'
import { createContext, useContext } from 'react'
import type { Client } from '../api/index.js'
import type { Ledger, PaymentRules } from '../chain/index.js'
import { configError } from '../errors/index.js'

import type { BeforePay, CheckoutEvent } from '../query/index.js'

/** What `CheckoutProvider` gives to the hooks and parts below it. */
export type CheckoutContextValue = {
  client: Client
  ledger: Ledger
  /** Where `ipfs://` pictures are read from, ending in a slash. */
  imageGateway: string
  rules: PaymentRules
  /** The app's own check before a payment, as it is at the moment it is called. */
  onBeforePay: BeforePay
  /** The app's own listener, as it is at the moment it is called. */
  onEvent(event: CheckoutEvent): void
}

/** Carries the checkout service through the tree. */
export const CheckoutContext = createContext<CheckoutContextValue | undefined>(undefined)

/**
 * Reads what the provider gives.
 *
 * @param name - Who asks, for the message when there is no provider.
 * @throws {@link KassaError} `config.provider-missing`.
 */
export const useCheckoutContext = (name: string): CheckoutContextValue => {
  const value = useContext(CheckoutContext)
  if (!value) throw configError('config.provider-missing', { name })
  return value
}

/** Where `ipfs://` pictures are read from; undefined outside a provider, where an order is only shown. */
export const useImageGateway = (): string | undefined => useContext(CheckoutContext)?.imageGateway
