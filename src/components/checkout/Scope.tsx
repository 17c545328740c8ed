'use client'

import { type ReactNode, useEffect, useLayoutEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { useProvided } from '../../hooks/checkoutContext.js'
import { messages as english } from '../../locales/en-US.js'
import type { Messages } from '../../locales/Messages.js'
import { createCheckoutStore } from './createCheckoutStore.js'
import { Mistakes } from './Mistakes.js'
import { RootContext } from './RootContext.js'
import type { CheckoutValue } from './value.js'

// Bundlers replace `process.env.NODE_ENV`, and then drop what only development needs.
declare const process: { env: { NODE_ENV?: string } }

/**
 * Returns the parts' texts: the provider's messages, or those it loads for the order's language. English
 * until they have loaded, or if loading fails.
 */
const useMessages = (locale: string | undefined): Messages => {
  const source = useProvided()?.messages
  const load = typeof source === 'function' ? source : undefined
  const [loaded, setLoaded] = useState<Messages>()
  useEffect(() => {
    if (!load || !locale) return
    let isCurrent = true
    const keep = (messages: Messages): void => {
      if (isCurrent) setLoaded(messages)
    }
    // Called in a `then`, so that a loader that throws counts as one that rejects.
    Promise.resolve(locale)
      .then(load)
      .then(keep, () => undefined)
    return () => {
      isCurrent = false
    }
  }, [load, locale])
  const chosen = typeof source === 'function' ? loaded : source
  return useMemo(() => (chosen ? { ...english, ...chosen } : english), [chosen])
}

type ScopeProps = {
  /** Returns the current checkout. */
  getValue(): CheckoutValue
  /** Subscribes to changes between two renders, if there are any. */
  subscribe?: (listener: () => void) => () => void
  children: ReactNode
}

const never = () => () => undefined

/**
 * Renders no element. Provides a checkout to the parts inside and adds what its Root keeps: the messages, the
 * clock, which quote a failure belongs to, and which error the forms show.
 */
export function Scope({ getValue, subscribe = never, children }: ScopeProps) {
  const getLocale = (): string | undefined => getValue().order?.locale
  const messages = useMessages(useSyncExternalStore(subscribe, getLocale, getLocale))
  const complete = (last?: CheckoutValue): CheckoutValue => {
    const value = getValue()
    return {
      ...value,
      messages: value.messages ?? messages,
      nowMs: value.nowMs ?? last?.nowMs,
      formError: value.formError ?? last?.formError,
      failedQuotedAt:
        value.failedQuotedAt ??
        (value.step === last?.step ? last.failedQuotedAt : value.order?.quote.quotedAt),
    }
  }
  const [store] = useState(() => createCheckoutStore(complete()))
  useLayoutEffect(() => {
    const update = (): void => store.set(complete(store.get()))
    update()
    return subscribe(update)
  })
  return (
    <RootContext value={store}>
      {process.env.NODE_ENV === 'development' && <Mistakes />}
      {children}
    </RootContext>
  )
}
