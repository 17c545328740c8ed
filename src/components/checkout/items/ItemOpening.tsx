'use client'

import type { ReactElement } from 'react'
import { type PartProps, useRender } from '../../../internal/render.js'
import { fill } from '../../../locales/fill.js'
import { formatDateTime } from '../../../order/formatDate.js'
import { getOpensAt } from '../../../order/opening.js'
import { isChangeable } from '../../../order/payment.js'
import type { LineItem, Order } from '../../../schema/index.js'
import { formatTimeLeft } from '../price/formatTimeLeft.js'
import { useCheckoutItem } from '../RootContext.js'
import { type CheckoutValue, getMessages } from '../value.js'

export declare namespace CheckoutItemOpening {
  /** State of {@link CheckoutItemOpening}. */
  export type State = {
    /** Whole seconds until the sale opens, or ends; undefined until the browser's clock is known. */
    secondsLeft: number | undefined
    /** Whether it has opened since the order was quoted, so that a new quote is needed. */
    isOpen: boolean
    /** Whether it was open then, so that the time is its end. */
    isEnding: boolean
  }

  /** Props of {@link CheckoutItemOpening}. */
  export type Props = PartProps<'time', CheckoutItemOpening.State>
}

/** From a day on, a date says more than a number of hours. @units seconds */
const longest = 24 * 60 * 60

/** Returns when the sale of a line item ends that can be bought; undefined if it has no end. */
const getEndsAt = (item: LineItem | undefined, order: Order | undefined): string | undefined =>
  item?.quote.status !== 'item-unavailable' && order && isChangeable(order)
    ? item?.quote.sale?.endsAt
    : undefined

const describe = (
  { opensAt, endsAt, secondsLeft }: { opensAt?: string; endsAt?: string; secondsLeft: number | undefined },
  value: CheckoutValue,
): string | undefined => {
  const { saleLater, opensIn, saleEndsIn, saleEndsAt } = getMessages(value)
  // The date depends on the time zone, which only the browser knows, as it alone knows the time.
  if (secondsLeft === undefined) return opensAt && saleLater
  const time = formatTimeLeft(secondsLeft)
  const date = formatDateTime(opensAt ?? endsAt ?? '', value.order?.locale)
  if (opensAt !== undefined) return secondsLeft > longest ? `${saleLater} ${date}` : fill(opensIn, { time })
  if (secondsLeft === 0) return undefined
  return secondsLeft > longest ? fill(saleEndsAt, { date }) : fill(saleEndsIn, { time })
}

const select = (item: LineItem | undefined, value: CheckoutValue) => {
  const { nowMs, order } = value
  const opensAt = getOpensAt(item)
  const endsAt = opensAt === undefined ? getEndsAt(item, order) : undefined
  const at = opensAt ?? endsAt
  const secondsLeft =
    at === undefined || nowMs === undefined
      ? undefined
      : Math.max(0, Math.ceil((Date.parse(at) - nowMs) / 1000))
  const times = { ...(opensAt !== undefined && { opensAt }), ...(endsAt !== undefined && { endsAt }) }
  return {
    at,
    secondsLeft,
    isOpen: opensAt !== undefined && secondsLeft === 0,
    isEnding: endsAt !== undefined,
    sentence: describe({ ...times, secondsLeft }, value),
  }
}

/**
 * Renders a `<time>`. Counts down to the start of a line item's sale, and once it is open to its end, without
 * announcing it. Absent if the sale has neither.
 */
export function CheckoutItemOpening(props: CheckoutItemOpening.Props): ReactElement | null {
  const { at, sentence, ...state } = useCheckoutItem('ItemOpening', select)
  const element = useRender('time', 'item-opening', props, state, {
    role: 'timer',
    'aria-live': 'off',
    dateTime: at,
    children: sentence,
  })
  return sentence === undefined ? null : element
}
