import type { AnyKassaError } from '../../errors/index.js'
import { messages as english } from '../../locales/en-US.js'
import type { Messages } from '../../locales/Messages.js'
import type { OrderStage } from '../../order/index.js'
import { getStage } from '../../order/stage.js'
import type { PayOptions, PayStep } from '../../query/index.js'
import type { EditOrderBody, Order } from '../../schema/index.js'

/** Everything a checkout shows and does. `Checkout.Root` makes one from an order id, or takes the caller's. */
export type CheckoutValue = {
  /** The order as last seen; undefined before the first answer. */
  order: Order | undefined
  /** What went wrong while reading the order or asking for a new price. */
  error?: AnyKassaError | undefined
  /** How far the payment is. */
  step: PayStep
  /**
   * Pays, or joins the payment under way. `total` is the price the buyer saw, `isAgain` their choice after an
   * uncertain attempt.
   */
  pay(options?: PayOptions): void
  /** Clears a failure that was shown; after `pay.price-changed` it means that the new price is accepted. */
  reset(): void
  /** Asks for a new price; without it an expired quote cannot be renewed from here. */
  refresh?: (() => void) | undefined
  /** Whether a new price was asked for and has not come yet. */
  isRefreshing?: boolean | undefined
  /** Changes the unpaid order; without it the forms and choices show, but change nothing. */
  edit?: ((body: EditOrderBody) => void) | undefined
  /** Whether a change was asked for and has not come yet. */
  isEditing?: boolean | undefined
  /** Why the last change was refused. */
  editError?: AnyKassaError | undefined
  /** The refused change that a form shows at its fields; `sent` while a form waits for the answer. */
  formError?: AnyKassaError | 'sent' | undefined
  /** What the parts say; by default the provider's messages, else English. */
  messages?: Messages | undefined
  /** When the quote that a failure is about was made (`quote.quotedAt`); by default what the order said then. */
  failedQuotedAt?: string | undefined
  /** The current time in epoch milliseconds, for a clock the caller owns; by default the browser's. */
  nowMs?: number | undefined
}

/** Where a checkout stands: the stage of its order, or `loading` before there is one. */
export type CheckoutStage = OrderStage | 'loading'

/** Reads the stage of a checkout. */
export const getCheckoutStage = ({ order, nowMs }: CheckoutValue): CheckoutStage =>
  order ? getStage(order, nowMs) : 'loading'

/** What the parts of a checkout say. */
export const getMessages = ({ messages }: CheckoutValue): Messages => messages ?? english
