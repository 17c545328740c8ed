import * as z from 'zod/mini'
import { withTimeout } from '../api/withTimeout.js'
import { serverError } from '../errors/serverError.js'
import type { CartOrderBody } from '../schema/cartOrder.js'
import { CreateOrderBody, type ParsedCreateOrderBody } from '../schema/createOrder.js'
import { findFault } from './readJsonBody.js'
import { refuseCart } from './refuseCart.js'

/**
 * The order that a shop creates from a cart. Its fields take precedence over the browser's: `recipient` and
 * `locale` as a whole, `payment` field by field, so that a shop that sets the currency keeps the buyer's
 * wallet. They apply to the new order: until it is paid, the buyer may change recipient, payment, locale and
 * promotion code, unless the handler's `editOrder` prevents it.
 */
export type OrderDraft = Pick<CreateOrderBody, 'lineItems'> & {
  [Field in 'metadata' | 'recipient' | 'locale' | 'promotionCode']?: CreateOrderBody[Field] | undefined
} & { payment?: Partial<CreateOrderBody['payment']> | undefined }

/** The request that came with a cart. */
export type CartRequest = Omit<CartOrderBody, 'cart'> & {
  /** The browser's request, for its cookies and headers. Its body has already been read. */
  request: Request
}

/** A shop's own function. It alone decides what a cart contains and costs. */
export type CreateDraft = (cart: unknown, request: CartRequest) => OrderDraft | Promise<OrderDraft>

const onlyGiven = (fields: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const invalid = (reason: string) => serverError('cart.draft-invalid', { name: 'createOrder', reason })

/**
 * Calls the shop's function to turn a cart into an order, and validates the result.
 *
 * @throws {@link KassaError} `cart.draft-invalid`; `cart.refused` for too many line items; whatever the
 * function throws.
 */
export const readDraft = async (
  createOrder: CreateDraft,
  { cart, ...said }: CartOrderBody,
  { request, timeoutMs }: { request: Request; timeoutMs: number },
): Promise<ParsedCreateOrderBody> => {
  const work = Promise.resolve().then(() => createOrder(cart, { ...said, request }))
  const late = () => invalid(`it took longer than ${timeoutMs / 1000} s`)
  const draft: unknown = await withTimeout(timeoutMs, work, late)
  if (typeof draft !== 'object' || draft === null || Array.isArray(draft))
    throw invalid('it did not return an object')
  const { payment = {}, ...fields } = onlyGiven(draft)
  const isPart = typeof payment === 'object' && payment !== null
  const body = { ...said, ...fields, payment: isPart ? { ...said.payment, ...onlyGiven(payment) } : payment }
  const parsed = z.safeParse(CreateOrderBody, body, { reportInput: true })
  // The browser decides how much is in the cart, so the buyer can fix it.
  if (parsed.error?.issues.some(({ code, path }) => code === 'too_big' && path.join() === 'lineItems'))
    throw refuseCart('An order can have at most 50 different items.')
  if (!parsed.success) throw invalid(findFault(parsed) ?? 'it is not an order')
  return parsed.data
}
