'use client'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import type { Client } from '../api/index.js'
import type { LedgerStorage, PaymentContracts, TokenTable } from '../chain/index.js'
import { createLedger } from '../chain/ledger.js'
import { CheckoutContext, type CheckoutContextValue, type MessagesLoader } from '../hooks/checkoutContext.js'
import { messages as english } from '../locales/en-US.js'
import type { Messages } from '../locales/Messages.js'
import { emitEvent } from '../query/event.js'
import type { BeforePay, CheckoutEvent } from '../query/index.js'

/** What {@link CheckoutProvider} takes. Keep objects outside the component, so that they stay the same ones. */
export type CheckoutProviderProps = {
  /** The checkout service, made by `createClient`. */
  client: Client
  /** Where attempts at paying are remembered across reloads: localStorage by default. */
  storage?: LedgerStorage | undefined
  /** Where `ipfs://` pictures are read from: the service's own gateway by default. */
  imageGateway?: string | undefined
  /** Tokens this package does not know, by chain and currency; only known tokens are ever paid in. */
  tokens?: TokenTable | undefined
  /**
   * Where the service takes payments, from `kassa-service contracts`. With it, money goes there and nowhere else,
   * even if somebody else speaks in the service's place.
   */
  contracts?: PaymentContracts | undefined
  /**
   * What the parts say: a language of `kassa/locales/…`, some sentences of the app's own over English, or
   * `loadMessages`, which loads the language of each order.
   */
  messages?: Partial<Messages> | MessagesLoader | undefined
  /** The app's own check, after all others and before the wallet opens; false or a sentence stops the payment. */
  onBeforePay?: BeforePay | undefined
  /** Hears what happens, for analytics; it is told no secret. */
  onEvent?: ((event: CheckoutEvent) => void) | undefined
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
  tokens,
  contracts,
  messages,
  onBeforePay,
  onEvent,
  children,
}: CheckoutProviderProps): ReactNode => {
  // The newest functions, so that ones written in line do not renew everything below at each render.
  const handlers = useRef({ onBeforePay, onEvent })
  const [listeners] = useState((): CheckoutContextValue['listeners'] => new Set())
  useEffect(() => {
    handlers.current = { onBeforePay, onEvent }
  })
  // On its own: where it is kept in memory, a new one would have forgotten the attempts.
  const ledger = useMemo(() => createLedger(storage), [storage])
  const value = useMemo(
    (): CheckoutContextValue => ({
      client,
      ledger,
      imageGateway: imageGateway ?? client.baseUrl.replace(/\/api$/, '/ipfs/'),
      rules: { tokens, contracts },
      messages: typeof messages === 'object' ? { ...english, ...messages } : messages,
      onBeforePay: (payment) => handlers.current.onBeforePay?.(payment),
      listeners,
      onEvent: (event) => {
        for (const listener of [...listeners, handlers.current.onEvent]) emitEvent(listener, event)
      },
    }),
    [client, ledger, imageGateway, tokens, contracts, messages, listeners],
  )
  return <CheckoutContext value={value}>{children}</CheckoutContext>
}
