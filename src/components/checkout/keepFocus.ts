// The checkout's main elements, most urgent first. The first one present gets the focus.
const targets = [
  '[data-kassa$=-form] :is(input,select)',
  '[data-kassa=receipt]',
  '[data-kassa=pay]:not([aria-disabled])',
  '[data-kassa=wallet]',
  '[data-kassa=payer]',
]

/**
 * Keeps the focus inside a checkout. When the focused element disappears, the focus moves to the checkout's
 * most urgent element, or to the checkout itself if there is nothing to do, instead of to the top of the
 * page. A focus elsewhere is left alone.
 *
 * @returns A `ref` for the element of the checkout. It remembers the focused element even when React detaches
 * and attaches it again, as React does at each render beside another `ref` that is new each time.
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
        // Some browsers also fire this for an element that is removed, so the buyer has left only an element
        // that stays. An element keeps the focus when its window loses it, for example to a wallet's window.
        queueMicrotask(() => {
          if (root.contains(holder) && page.activeElement !== holder) holder = null
        }),
      watch,
    )
    const observer = new MutationObserver(check)
    observer.observe(root, { childList: true, subtree: true })
    // The element may have disappeared before the observer started.
    queueMicrotask(check)
    return () => {
      watch.abort()
      observer.disconnect()
    }
  }
}
