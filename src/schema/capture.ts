import * as z from 'zod/mini'
import { maybe } from './maybe.js'
import type { CaptureMethod, CaptureStatus } from './members.js'
import { known, openObject } from './open.js'

/**
 * How the payment of an order is captured. `payment` of an order has these fields if its payment is captured by the
 * merchant.
 */
export const PaymentCapture = openObject({
  capture: maybe(known<CaptureMethod>()),
  /** Absent until the order is paid. */
  captureStatus: maybe(known<CaptureStatus>()),
  /** When a payment that is not captured by then is refunded. Present while the status is `requires-capture`. */
  captureBefore: maybe(z.string()),
})
export type PaymentCapture = z.infer<typeof PaymentCapture>
