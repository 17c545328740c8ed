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
  // Held on to: where a page is torn down, as after a test, its names go before the last timer ends.
  const [page, frame] = [document, window]
  page.addEventListener('visibilitychange', check)
  // A page kept whole by the browser while the buyer was elsewhere comes back with this event alone.
  frame.addEventListener('pageshow', check)
  return () => {
    page.removeEventListener('visibilitychange', check)
    frame.removeEventListener('pageshow', check)
  }
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
