import type { PayStep } from '../../engine/payment/payStep.js'
import type { AnyKassaError } from '../../errors/index.js'
import { messages as english } from '../../locales/en-US.js'
import type { Messages } from '../../locales/Messages.js'
import type { OrderStage } from '../../order/index.js'
import { getStage } from '../../order/stage.js'
import type { PayOptions } from '../../pay/payOrder.js'
import type { EditOrderBody, Order } from '../../schema/index.js'

/**
 * The full state and actions of a checkout. `Checkout.Root` creates one from an order id, or takes the
 * caller's.
 */
export type CheckoutValue = {
  /** The order as last read; undefined before the first answer. */
  order: Order | undefined
  /** The error of reading the order or of requesting a new price. */
  error?: AnyKassaError | undefined
  /** The payment's progress. */
  step: PayStep
  /**
   * Pays, or joins the payment in progress. `total` is the price the buyer saw, and `isAgain` their choice to
   * pay again after an uncertain attempt.
   */
  pay(options?: PayOptions): void
  /** Clears a failure that was shown. After `pay.price-changed` it accepts the new price. */
  reset(): void
  /** Requests a new price. Without this function, this checkout cannot renew an expired quote. */
  refresh?: (() => void) | undefined
  /** Whether a new price is in progress. */
  isRefreshing?: boolean | undefined
  /** Changes the unpaid order. Without this function, the forms and choices show but change nothing. */
  edit?: ((body: EditOrderBody) => void) | undefined
  /** Whether a change is in progress. */
  isEditing?: boolean | undefined
  /** Why the last change was refused. */
  editError?: AnyKassaError | undefined
  /** The refused change whose error a form shows at its fields; `sent` while a form waits for the answer. */
  formError?: AnyKassaError | 'sent' | undefined
  /** The parts' texts. By default the provider's messages, else English. */
  messages?: Messages | undefined
  /**
   * The time (`quote.quotedAt`) of the quote that a failure belongs to. By default the order's quote at the
   * failure.
   */
  failedQuotedAt?: string | undefined
  /** The current time in epoch milliseconds, for a clock the caller owns. By default the browser's. */
  nowMs?: number | undefined
}

/** A checkout's stage: that of its order, or `loading` before there is one. */
export type CheckoutStage = OrderStage | 'loading'

/** Returns a checkout's stage. */
export const getCheckoutStage = ({ order, nowMs }: CheckoutValue): CheckoutStage =>
  order ? getStage(order, nowMs) : 'loading'

/** Returns the texts of a checkout's parts. */
export const getMessages = ({ messages }: CheckoutValue): Messages => messages ?? english
