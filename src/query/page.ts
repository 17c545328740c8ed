/** Whether the buyer does not see the page now: in another tab, or in a wallet's app on the same phone. */
export const isPageHidden = (): boolean =>
  typeof document !== 'undefined' && document.visibilityState === 'hidden'

/**
 * Listens for the buyer's return to the page.
 *
 * @returns Stops listening.
 */
export const onPageReturn = (listener: () => void): (() => void) => {
  if (typeof document === 'undefined') return () => undefined
  const check = (): void => {
    if (!isPageHidden()) listener()
  }
  // By a signal: where a page is torn down, as after a test, its own methods go before the last timer ends.
  const listening = new AbortController()
  const { signal } = listening
  document.addEventListener('visibilitychange', check, { signal })
  // A page kept whole by the browser while the buyer was elsewhere comes back with this event alone.
  window.addEventListener('pageshow', check, { signal })
  return () => listening.abort()
}

/** Waits, but no longer than until the buyer comes back to the page. */
export const sleepUntilReturn = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer)
      stop()
      resolve()
    }
    const timer = setTimeout(finish, milliseconds)
    const stop = onPageReturn(finish)
  })
