'use client'
import { createContext, useContext } from 'react'
import type { Client } from '../api/index.js'
import type { PaymentAttemptStore, PaymentRules } from '../chain/index.js'
import { configError } from '../errors/configError.js'
import type { Messages } from '../locales/Messages.js'
import type { CheckoutEvent } from '../pay/event.js'
import type { BeforePay } from '../pay/payContext.js'
import type { SolanaPayments } from '../pay/solanaPayments.js'

/** Loads the parts' texts for an order's language, such as `loadMessages` of `kassa/locales`. */
export type MessagesLoader = (locale: string) => Promise<Messages>

/** What `CheckoutProvider` provides to the hooks and parts below it. */
export type CheckoutContextValue = {
  client: Client
  attemptStore: PaymentAttemptStore
  /** Gateway for `ipfs://` pictures, ending in a slash. */
  imageGateway: string
  rules: PaymentRules
  /** How checkouts pay on Solana; undefined in an app that does not. */
  solana: SolanaPayments | undefined
  /** The parts' texts, over English, or a loader of an order's language. Parts alone know English: hooks need no texts. */
  messages: Partial<Messages> | MessagesLoader | undefined
  /** Calls the app's current check before a payment. */
  onBeforePay: BeforePay
  /** Calls the app's current listener. */
  onEvent(event: CheckoutEvent): void
  /** Further listeners, such as a developer's panel. The set is the same for the provider's lifetime. */
  listeners: Set<(event: CheckoutEvent) => void>
}

/** Carries the checkout's configuration through the tree. */
export const CheckoutContext = createContext<CheckoutContextValue | undefined>(undefined)

/** Returns the provider's value; undefined without a provider, where an order can only be shown. */
export const useProvided = (): CheckoutContextValue | undefined => useContext(CheckoutContext)

/**
 * Returns the provider's value.
 *
 * @param name - The caller's name, for the error message.
 * @throws {@link KassaError} `config.provider-missing`.
 */
export const useCheckoutContext = (name: string): CheckoutContextValue => {
  const value = useProvided()
  if (!value) throw configError('config.provider-missing', { name })
  return value
}
