'use client'

import { type ReactElement, useEffect, useState } from 'react'
import { type PartProps, useRender } from '../../../internal/render.js'
import { useTransferPart } from './useTransferPart.js'

export declare namespace CheckoutTransferCopy {
  /** State of {@link CheckoutTransferCopy}. */
  export type State = {
    of: 'amount' | 'address'
    /** Whether the value was copied in the last two seconds. */
    isCopied: boolean
  }

  /** Props of {@link CheckoutTransferCopy}. */
  export type Props = PartProps<'button', CheckoutTransferCopy.State> & {
    /** What to copy: the address (by default), or the amount as a number. */
    of?: CheckoutTransferCopy.State['of'] | undefined
  }
}

const shownMs = 2_000

/**
 * Renders a `<button>`. Copies the address or the exact amount of a transfer. Absent where only the QR code or its
 * link pays the order.
 */
export function CheckoutTransferCopy({
  of = 'address',
  ...props
}: CheckoutTransferCopy.Props): ReactElement | null {
  const { request, messages } = useTransferPart('TransferCopy')
  const [copied, setCopied] = useState<string>()
  useEffect(() => {
    if (copied === undefined) return
    const timer = setTimeout(setCopied, shownMs, undefined)
    return () => clearTimeout(timer)
  }, [copied])
  const { address } = request ?? {}
  const value = of === 'address' ? address : request?.amount
  const isCopied = copied !== undefined && copied === value
  const copy = (): void => {
    // A browser may forbid it. The buyer can still select the text.
    if (value !== undefined)
      void navigator.clipboard?.writeText(value).then(
        () => setCopied(value),
        () => {},
      )
  }
  const label = of === 'address' ? messages.copyAddress : messages.copyAmount
  const element = useRender(
    'button',
    'transfer-copy',
    props,
    { of, isCopied },
    { type: 'button', 'aria-live': 'polite', onClick: copy, children: isCopied ? messages.copied : label },
  )
  return address === undefined ? null : element
}
