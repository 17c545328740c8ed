'use client'

import { type ReactNode, useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { createCheckoutStore } from './createCheckoutStore.js'
import { RootContext } from './RootContext.js'
import { useMessages } from './useMessages.js'
import type { CheckoutValue } from './value.js'

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
  return <RootContext value={store}>{children}</RootContext>
}
