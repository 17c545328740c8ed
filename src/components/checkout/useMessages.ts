'use client'

import { useEffect, useState } from 'react'
import { useProvided } from '../../hooks/checkoutContext.js'
import { messages as english } from '../../locales/en-US.js'
import type { Messages } from '../../locales/Messages.js'

/**
 * What the parts of a checkout say: the provider's messages, or those it loads for the order's language; English
 * until they have come, and if they do not.
 */
export const useMessages = (locale: string | undefined): Messages => {
  const source = useProvided()?.messages
  const load = typeof source === 'function' ? source : undefined
  const [loaded, setLoaded] = useState<Messages>()
  useEffect(() => {
    if (!load || !locale) return
    let isCurrent = true
    const keep = (messages: Messages): void => {
      if (isCurrent) setLoaded(messages)
    }
    // In a `then` of its own, so that a loader that throws is one that fails.
    Promise.resolve(locale)
      .then(load)
      .then(keep, () => undefined)
    return () => {
      isCurrent = false
    }
  }, [load, locale])
  return (typeof source === 'function' ? loaded : source) ?? english
}
