/** Whether the page is hidden: the buyer is in another tab, or in a wallet's app on the same phone. */
export const isPageHidden = (): boolean =>
  typeof document !== 'undefined' && document.visibilityState === 'hidden'

/**
 * Listens for the buyer's return to the page.
 *
 * @returns A function that stops listening.
 */
export const onPageReturn = (listener: () => void): (() => void) => {
  if (typeof document === 'undefined') return () => undefined
  const check = (): void => {
    if (!isPageHidden()) listener()
  }
  // An abort signal, because a test environment removes the page's own methods before the last timer ends.
  const listening = new AbortController()
  const { signal } = listening
  document.addEventListener('visibilitychange', check, { signal })
  // The browser restores a page from its back/forward cache with this event only.
  window.addEventListener('pageshow', check, { signal })
  return () => listening.abort()
}

/** Waits for a time, but at most until the buyer returns to the page. */
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
