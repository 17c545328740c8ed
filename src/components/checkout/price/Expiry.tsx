'use client'

import type { ReactElement } from 'react'
import { type PartProps, useRender } from '../../../internal/render.js'
import { fill } from '../../../locales/fill.js'
import { formatDuration } from '../../../order/formatDuration.js'
import { getTimeLeftMs } from '../../../order/timeLeft.js'
import { useCheckout } from '../RootContext.js'
import { type CheckoutStage, type CheckoutValue, getCheckoutStage, getMessages } from '../value.js'
import { formatTimeLeft } from './formatTimeLeft.js'

export declare namespace CheckoutExpiry {
  /** State of {@link CheckoutExpiry}. */
  export type State = {
    /** Whole seconds; undefined until the browser's clock is known. */
    secondsLeft: number | undefined
    /** The same as text: `4:05`. */
    timeLeft: string | undefined
    /** Whether less than a minute is left. */
    isLow: boolean
    isExpired: boolean
  }

  /** Props of {@link CheckoutExpiry}. */
  export type Props = PartProps<'time', CheckoutExpiry.State>
}

const lowSeconds = 60

const priced: readonly CheckoutStage[] = [
  'ready-to-pay',
  'needs-payer',
  'needs-email',
  'insufficient-funds',
  'expired',
]

const select = (value: CheckoutValue) => {
  const { order, nowMs } = value
  const stage = getCheckoutStage(value)
  const isExpired = stage === 'expired'
  const leftMs = order && nowMs !== undefined ? getTimeLeftMs(order, nowMs) : undefined
  // Rounded up, so that the last second shows until it ends.
  const secondsLeft = isExpired ? 0 : leftMs && Math.ceil(leftMs / 1000)
  const isKnown = secondsLeft !== undefined
  const messages = getMessages(value)
  return {
    secondsLeft,
    timeLeft: isKnown ? formatTimeLeft(secondsLeft) : undefined,
    // In the language of its sentence.
    label: isKnown
      ? fill(messages.timeLeft, { time: formatDuration(secondsLeft, messages.locale) })
      : undefined,
    isLow: isKnown && secondsLeft <= lowSeconds,
    isExpired,
    expiresAt: priced.includes(stage) ? order?.quote.expiresAt : undefined,
  }
}

/**
 * Renders a `<time>`. Counts down to the end of the quote without announcing it. Shows nothing once the
 * payment was seen.
 */
export function CheckoutExpiry(props: CheckoutExpiry.Props): ReactElement | null {
  const { expiresAt, label, ...state } = useCheckout('Expiry', select)
  const element = useRender('time', 'expiry', props, state, {
    role: 'timer',
    'aria-live': 'off',
    'aria-label': label,
    dateTime: expiresAt,
    children: state.timeLeft,
  })
  return expiresAt === undefined ? null : element
}
