'use client'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import type { Client } from '../api/index.js'
import { createPaymentAttemptStore } from '../chain/attemptStore.js'
import type { PaymentContracts, TokenTable, WebStorage } from '../chain/index.js'
import { CheckoutContext, type CheckoutContextValue, type MessagesLoader } from '../hooks/checkoutContext.js'
import { useQueryClientCheck } from '../hooks/useQueryClientCheck.js'
import type { Messages } from '../locales/Messages.js'
import type { CheckoutEvent } from '../pay/event.js'
import { emitEvent } from '../pay/event.js'
import type { BeforePay } from '../pay/payContext.js'
import type { SolanaPayments } from '../pay/solanaPayments.js'

/**
 * Props of {@link CheckoutProvider}. Create objects outside the component, so that they keep their identity.
 */
export type CheckoutProviderProps = {
  /** The checkout service's client, created by `createClient`. */
  client: Client
  /** Where payment attempts are stored across reloads. By default localStorage. */
  storage?: WebStorage | undefined
  /** Gateway for `ipfs://` pictures. By default the service's own. */
  imageGateway?: string | undefined
  /** Tokens this package does not know, by chain and currency. Checkouts pay only in known tokens. */
  tokens?: TokenTable | undefined
  /**
   * Where the service takes payments, from `kassa-service contracts`. With it, payments go only there, even
   * if an attacker answers in the service's place.
   */
  contracts?: PaymentContracts | undefined
  /** Lets checkouts take payments on Solana: `solana({ … })` of `kassa/solana`. */
  solana?: SolanaPayments | undefined
  /**
   * The parts' texts: a language of `kassa/locales/…`, some of the app's own sentences over English, or
   * `loadMessages`, which loads each order's language.
   */
  messages?: Partial<Messages> | MessagesLoader | undefined
  /**
   * The app's own check, called after all others and before the wallet opens. Returning false or a sentence
   * stops the payment. It is called again if the quote is renewed meanwhile.
   */
  onBeforePay?: BeforePay | undefined
  /** Receives events for analytics. They contain no secret. */
  onEvent?: ((event: CheckoutEvent) => void) | undefined
  children: ReactNode
}

/**
 * Renders no element. Provides the checkout service to the hooks and parts below it. Place it inside wagmi's
 * and TanStack Query's providers, in a client component.
 *
 * @throws {@link KassaError} `config.query-client-missing`; `config.client-missing`; `config.provider-in-server-component`.
 */
export const CheckoutProvider = ({
  client,
  storage,
  imageGateway,
  tokens,
  contracts,
  solana,
  messages,
  onBeforePay,
  onEvent,
  children,
}: CheckoutProviderProps): ReactNode => {
  useQueryClientCheck('CheckoutProvider', client)
  // Refs hold the latest functions, so that inline ones do not renew the context at each render.
  const handlers = useRef({ onBeforePay, onEvent })
  const [listeners] = useState((): CheckoutContextValue['listeners'] => new Set())
  useEffect(() => {
    handlers.current = { onBeforePay, onEvent }
  })
  // A separate memo, because a new store in memory would have forgotten the attempts.
  const attemptStore = useMemo(() => createPaymentAttemptStore(storage), [storage])
  const value = useMemo(
    (): CheckoutContextValue => ({
      client,
      attemptStore,
      imageGateway: imageGateway ?? client.baseUrl.replace(/\/api$/, '/ipfs/'),
      rules: { tokens, contracts },
      solana,
      messages,
      onBeforePay: (payment) => handlers.current.onBeforePay?.(payment),
      listeners,
      onEvent: (event) => {
        for (const listener of [...listeners, handlers.current.onEvent]) emitEvent(listener, event)
      },
    }),
    [client, attemptStore, imageGateway, tokens, contracts, solana, messages, listeners],
  )
  return <CheckoutContext value={value}>{children}</CheckoutContext>
}
