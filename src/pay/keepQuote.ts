import { hashKey } from '@tanstack/react-query'
import { refreshOrder } from '../api/orders.js'
import { isKassaError, type KassaError } from '../errors/KassaError.js'
import { payError } from '../errors/payError.js'
import { getAmountDue } from '../order/payment.js'
import { getStage } from '../order/stage.js'
import { getTimeLeftMs } from '../order/timeLeft.js'
import { orderQueryKey } from '../query/keys.js'
import { getKnownOrder } from '../query/knownOrder.js'
import { setOrder } from '../query/setOrder.js'
import { findWire } from '../query/wire.js'
import type { Order } from '../schema/index.js'
import { describePrice, isAgreed, isSamePrice } from './agreePrice.js'
import { emitEvent } from './event.js'
import { isPageHidden, onPageReturn } from './page.js'
import type { PaymentParameters } from './payContext.js'
import { withOrderLock } from './withOrderLock.js'

const aheadMs = 2_000
const retryMs = 700
// After this many quotes without an interaction, the page stops renewing and offers a new price instead.
const longestRow = 6
// The longest delay a timer accepts.
const longestTimerMs = 2 ** 31 - 1

/** What the quote keeper needs from a payment. */
export type KeptPayment = {
  /** Whether a payment is in progress or may be on its way. */
  isBusy(): boolean
  /**
   * Receives a difference between the price and the one the buyer agreed to; undefined when they are equal.
   */
  onPrice(change: KassaError<'pay.price-changed'> | undefined): void
}

/** Keeps the quote of an order valid. */
export type QuoteKeeper = {
  /** Checks again, because the buyer interacted or the payment stopped. */
  wake(): void
  /** Waits for a quote that is being renewed. */
  rest(): Promise<void>
  stop(): void
}

/** The latest parameters of the payment, and the payment whose quote is kept. */
type Keeping = { getContext(): PaymentParameters; payment: KeptPayment }

const canRefresh = ({ getContext, payment }: Keeping, order: Order): boolean => {
  const { attemptStore, orderId, now } = getContext()
  return (
    order.phase === 'payment' &&
    !order.payment.remaining &&
    !['paying', 'delivering', 'expired', 'failed'].includes(getStage(order, now())) &&
    !isPageHidden() &&
    !payment.isBusy() &&
    attemptStore.list(orderId).length === 0
  )
}

/** Renews the quote, unless another tab is about to pay at the current price. */
const refresh = async ({ getContext }: Keeping): Promise<void> => {
  const { client, queryClient, orderId, clientSecret, onEvent, now } = getContext()
  const before = getKnownOrder(getContext())?.quote.totalPrice
  // A tab that is about to pay holds the lock. The renewal does not keep it, because the buyer may press the button
  // in another tab.
  let isFree = false
  const find = async (): Promise<void> => {
    isFree = true
  }
  await withOrderLock(getContext(), find, () => undefined)
  if (!isFree) return
  const order = await refreshOrder(client, { orderId, clientSecret })
  setOrder(queryClient, client, order)
  const to = order.quote.totalPrice
  const isPriceChanged = !isSamePrice(before, to)
  emitEvent(onEvent, { type: 'quote.refreshed', orderId, from: before, to, isPriceChanged, atMs: now() })
}

/** Compares the shown price with the one the buyer has agreed to. */
const comparePrice = ({ getContext, payment }: Keeping): void => {
  const { queryClient, client, orderId } = getContext()
  const wire = findWire(queryClient, client, orderId)
  const order = getKnownOrder(getContext())
  const price = order && getAmountDue(order)
  if (!wire || !price || order.phase !== 'payment' || payment.isBusy()) return
  wire.agreed ??= price
  // A part of the agreed price was paid. The rest of it needs no consent, but the whole would again.
  if (isAgreed(wire.agreed, order)) wire.agreed = price
  const from = describePrice(wire.agreed, order)
  payment.onPrice(
    isSamePrice(wire.agreed, price)
      ? undefined
      : payError('pay.price-changed', { from, to: describePrice(price, order) }),
  )
}

/**
 * Renews the quote about 2 s before it expires, while the page is visible and no payment may be on its way,
 * here or in another tab. When the price has changed, by the renewal or by another client, the payment is
 * notified, so that the buyer agrees first.
 */
export const keepQuote = (getContext: () => PaymentParameters, payment: KeptPayment): QuoteKeeper => {
  const { queryClient, client, orderId } = getContext()
  const keeping: Keeping = { getContext, payment }
  let timer: ReturnType<typeof setTimeout> | undefined
  let row = 0
  let isStopped = false
  let refreshing: Promise<void> = Promise.resolve()

  const beat = async (): Promise<void> => {
    const order = getKnownOrder(getContext())
    if (!order || row >= longestRow || !canRefresh(keeping, order)) return
    row += 1
    try {
      refreshing = refresh(keeping)
      await refreshing
    } catch (error) {
      if (!isKassaError(error) || !error.retryable || isStopped) return
      row -= 1
      const retryAfterMs = 'retryAfterMs' in error.context ? error.context.retryAfterMs : undefined
      clearTimeout(timer)
      timer = setTimeout(beat, Math.max(retryMs, retryAfterMs ?? 0))
    }
  }

  const schedule = (): void => {
    clearTimeout(timer)
    const order = getKnownOrder(getContext())
    const leftMs = order && getTimeLeftMs(order, getContext().now())
    if (leftMs) timer = setTimeout(beat, Math.min(longestTimerMs, Math.max(0, leftMs - aheadMs)))
  }

  const onOrder = (): void => {
    comparePrice(keeping)
    schedule()
  }
  const wake = (): void => {
    row = 0
    onOrder()
  }
  const hash = hashKey(orderQueryKey(client, orderId))
  const stopWatching = queryClient.getQueryCache().subscribe(({ query, type }) => {
    if (type === 'updated' && query.queryHash === hash) onOrder()
  })
  const stopListening = onPageReturn(wake)
  onOrder()
  return {
    wake,
    rest: () => refreshing.catch(() => undefined),
    stop: () => {
      isStopped = true
      clearTimeout(timer)
      stopWatching()
      stopListening()
    },
  }
}
