'use client'
import { createContext, useContext } from 'react'
import type { Client } from '../api/index.js'
import type { Ledger, PaymentRules } from '../chain/index.js'
import { configError } from '../errors/configError.js'
import type { Messages } from '../locales/Messages.js'
import type { BeforePay, CheckoutEvent } from '../query/index.js'

/** Loads what the parts say in the language of an order, such as `loadMessages` of `kassa/locales`. */
export type MessagesLoader = (locale: string) => Promise<Messages>

/** What `CheckoutProvider` gives to the hooks and parts below it. */
export type CheckoutContextValue = {
  client: Client
  ledger: Ledger
  /** Where `ipfs://` pictures are read from, ending in a slash. */
  imageGateway: string
  rules: PaymentRules
  /** What the parts say, or what loads it for an order's language; English when absent. */
  messages: Messages | MessagesLoader | undefined
  /** The app's own check before a payment, as it is at the moment it is called. */
  onBeforePay: BeforePay
  /** The app's own listener, as it is at the moment it is called. */
  onEvent(event: CheckoutEvent): void
  /** Who else hears what happens, such as a developer's panel; the same set for as long as the provider stands. */
  listeners: Set<(event: CheckoutEvent) => void>
}

/** Carries the checkout service through the tree. */
export const CheckoutContext = createContext<CheckoutContextValue | undefined>(undefined)

/** What the provider gives; undefined outside of one, where an order is only shown. */
export const useProvided = (): CheckoutContextValue | undefined => useContext(CheckoutContext)

/**
 * Reads what the provider gives.
 *
 * @param name - Who asks, for the message when there is no provider.
 * @throws {@link KassaError} `config.provider-missing`.
 */
export const useCheckoutContext = (name: string): CheckoutContextValue => {
  const value = useProvided()
  if (!value) throw configError('config.provider-missing', { name })
  return value
}
