// What a checkout can be about, most urgent first; the first that is there gets the focus.
const targets = [
  '[data-kassa$=-form] :is(input,select)',
  '[data-kassa=receipt]',
  '[data-kassa=pay]:not([aria-disabled])',
  '[data-kassa=wallet]',
  '[data-kassa=payer]',
  '[data-kassa=status]',
]

/**
 * Watches over the focus inside a checkout: when the element that holds it goes, the focus moves to what the
 * checkout is about now, instead of falling back to the top of the page. A focus elsewhere is left alone.
 *
 * @param root - The element of the checkout; meant as its `ref`.
 */
export const keepFocus = (root: HTMLElement | null): (() => void) | undefined => {
  if (!root) return
  const page = root.ownerDocument
  let holder: Element | null = null
  root.addEventListener('focusin', () => {
    holder = page.activeElement
  })
  root.addEventListener('focusout', () =>
    // Some browsers say so of an element that goes, too: the buyer has left only one that stays. And whose window
    // was left, as for a wallet's, keeps the focus.
    queueMicrotask(() => {
      if (root.contains(holder) && page.activeElement !== holder) holder = null
    }),
  )
  const observer = new MutationObserver(() => {
    if (!holder || root.contains(holder) || page.activeElement !== page.body) return
    const target = targets.map((selector) => root.querySelector<HTMLElement>(selector)).find(Boolean) ?? root
    if (target.tabIndex < 0) target.tabIndex = -1
    target.focus()
  })
  observer.observe(root, { childList: true, subtree: true })
  return () => observer.disconnect()
}
