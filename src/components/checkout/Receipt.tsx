'use client'

import type { ReactElement, ReactNode } from 'react'
import { type PartProps, useRender } from '../../internal/render.js'
import { messages } from './messages.js'
import { useCheckout } from './RootContext.js'
import { getReceiptTokens, type ReceiptToken } from './receiptTokens.js'
import { type CheckoutStage, type CheckoutValue, getCheckoutStage } from './value.js'

/** State of {@link CheckoutReceipt}. */
export type CheckoutReceiptState = { stage: CheckoutStage }

/** Props of {@link CheckoutReceipt}. */
export type CheckoutReceiptProps = Omit<PartProps<'section', CheckoutReceiptState>, 'children'> & {
  /** What to show instead of the plain list, or a function of the delivered tokens. */
  children?: ReactNode | ((tokens: ReceiptToken[]) => ReactNode)
}

const select = (value: CheckoutValue) => ({
  stage: getCheckoutStage(value),
  lineItems: value.order?.phase === 'completed' ? value.order.lineItems : undefined,
})

/** Renders a `<section>`. Names every token that was delivered; absent until the order is completed. */
export function CheckoutReceipt({ children, ...props }: CheckoutReceiptProps): ReactElement | null {
  const { stage, lineItems } = useCheckout('Receipt', select)
  const tokens = getReceiptTokens(lineItems ?? [])
  const element = useRender(
    'section',
    props,
    { stage },
    {
      'aria-label': messages.receipt,
      children:
        typeof children === 'function' ? children(tokens) : (children ?? <TokenList tokens={tokens} />),
    },
  )
  return lineItems ? element : null
}

function TokenList({ tokens }: { tokens: ReceiptToken[] }) {
  return (
    <ul>
      {tokens.map((token) => (
        <li key={token.locator}>
          {token.name} <code>{token.locator}</code>
        </li>
      ))}
    </ul>
  )
}
