'use client'

import { useEffect, useState } from 'react'
import { useProvided } from '../../hooks/checkoutContext.js'
import { messages as english } from '../../locales/en-US.js'
import type { Messages } from '../../locales/Messages.js'

/**
 * Returns the parts' texts: the provider's messages, or those it loads for the order's language. English
 * until they have loaded, or if loading fails.
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
    // Called in a `then`, so that a loader that throws counts as one that rejects.
    Promise.resolve(locale)
      .then(load)
      .then(keep, () => undefined)
    return () => {
      isCurrent = false
    }
  }, [load, locale])
  return (typeof source === 'function' ? loaded : source) ?? english
}
