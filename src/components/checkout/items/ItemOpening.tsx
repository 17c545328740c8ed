'use client'

import type { ReactElement } from 'react'
import { type PartProps, useRender } from '../../../internal/render.js'
import { fill } from '../../../locales/fill.js'
import { formatDate } from '../../../order/formatDate.js'
import { getOpensAt } from '../../../order/opening.js'
import type { LineItem } from '../../../schema/index.js'
import { formatTimeLeft } from '../price/formatTimeLeft.js'
import { useCheckoutItem } from '../RootContext.js'
import { type CheckoutValue, getMessages } from '../value.js'

export declare namespace CheckoutItemOpening {
  /** State of {@link CheckoutItemOpening}. */
  export type State = {
    /** Whole seconds until the sale opens; undefined until the browser's clock is known. */
    secondsLeft: number | undefined
    /** Whether it has opened since the order was quoted, so that a new quote is needed. */
    isOpen: boolean
  }

  /** Props of {@link CheckoutItemOpening}. */
  export type Props = PartProps<'time', CheckoutItemOpening.State>
}

/** From a day on, a date says more than a number of hours. @units seconds */
const longest = 24 * 60 * 60

const select = (item: LineItem | undefined, value: CheckoutValue) => {
  const { nowMs, order } = value
  const opensAt = getOpensAt(item)
  const messages = getMessages(value)
  const secondsLeft =
    opensAt === undefined || nowMs === undefined
      ? undefined
      : Math.max(0, Math.ceil((Date.parse(opensAt) - nowMs) / 1000))
  const isFar = secondsLeft === undefined || secondsLeft > longest
  const date = opensAt === undefined ? '' : formatDate(opensAt, order?.locale)
  return {
    opensAt,
    secondsLeft,
    isOpen: secondsLeft === 0,
    // The date depends on the time zone, which only the browser knows, as it alone knows the time.
    sentence:
      secondsLeft === undefined
        ? messages.saleLater
        : isFar
          ? `${messages.saleLater} ${date}`
          : fill(messages.opensIn, { time: formatTimeLeft(secondsLeft) }),
  }
}

/**
 * Renders a `<time>`. Counts down to the start of a line item's sale without announcing it. Absent if the sale is
 * open, or has ended.
 */
export function CheckoutItemOpening(props: CheckoutItemOpening.Props): ReactElement | null {
  const { opensAt, sentence, ...state } = useCheckoutItem('ItemOpening', select)
  const element = useRender('time', 'item-opening', props, state, {
    role: 'timer',
    'aria-live': 'off',
    dateTime: opensAt,
    children: sentence,
  })
  return opensAt === undefined ? null : element
}
