// What a checkout can be about, most urgent first; the first that is there gets the focus.
const targets = [
  '[data-kassa$=-form] :is(input,select)',
  '[data-kassa=receipt]',
  '[data-kassa=pay]:not([aria-disabled])',
  '[data-kassa=wallet]',
  '[data-kassa=payer]',
]

/**
 * Watches over the focus inside a checkout: when the element that holds it goes, the focus moves to what the
 * checkout is about now, and to the checkout itself where there is nothing to do, instead of falling back to the top
 * of the page. A focus elsewhere is left alone.
 *
 * @returns A `ref` for the element of the checkout. It knows who holds the focus even when it is taken off and put
 * on again, as React does at each render beside another `ref` that is new each time.
 */
export const keepFocus = () => {
  let holder: Element | null = null
  return (root: HTMLElement | null): (() => void) | undefined => {
    if (!root) return
    const page = root.ownerDocument
    const watch = new AbortController()
    const check = (): void => {
      if (!holder || root.contains(holder) || page.activeElement !== page.body) return
      const target =
        targets.map((selector) => root.querySelector<HTMLElement>(selector)).find(Boolean) ?? root
      if (target.tabIndex < 0) target.tabIndex = -1
      target.focus()
    }
    root.addEventListener(
      'focusin',
      () => {
        holder = page.activeElement
      },
      watch,
    )
    root.addEventListener(
      'focusout',
      () =>
        // Some browsers say so of an element that goes, too: the buyer has left only one that stays. And whose
        // window was left, as for a wallet's, keeps the focus.
        queueMicrotask(() => {
          if (root.contains(holder) && page.activeElement !== holder) holder = null
        }),
      watch,
    )
    const observer = new MutationObserver(check)
    observer.observe(root, { childList: true, subtree: true })
    // It may have gone while nobody watched.
    queueMicrotask(check)
    return () => {
      watch.abort()
      observer.disconnect()
    }
  }
}
