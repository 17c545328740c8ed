import { cleanup, render } from '@testing-library/react'
import { Checkout, type CheckoutValue } from 'kassa'
import { type ReactNode, StrictMode } from 'react'
import { afterEach } from 'vitest'

afterEach(cleanup)

/** Renders parts inside a checkout, in StrictMode; `show` gives them another checkout. */
export const mount = (value: CheckoutValue, parts: ReactNode) => {
  // Outside of the re-rendering part, so that only the parts' own subscriptions can change them.
  const children = parts
  const tree = (next: CheckoutValue) => (
    <StrictMode>
      <Checkout.Root value={next}>{children}</Checkout.Root>
    </StrictMode>
  )
  const result = render(tree(value))
  return { ...result, show: (next: CheckoutValue) => result.rerender(tree(next)) }
}
