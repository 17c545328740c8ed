import { readJson } from '../api/request.js'
import { apiError } from '../errors/apiError.js'
import { CartOrderBody } from '../schema/cartOrder.js'
import * as operations from '../schema/operations.js'
import type { Order } from '../schema/order.js'
import { readCreateOrderAnswer } from '../schema/readers.js'
import { bindIdempotencyKey } from './bindIdempotencyKey.js'
import { callService, type ServiceAddress } from './callService.js'
import { forwardResponse, toContext } from './forwardResponse.js'
import { isSecure } from './guardOrigin.js'
import { isOrderId, writeOrderCookies } from './orderCookie.js'
import { type CreateDraft, readDraft } from './readDraft.js'
import { readJsonBody } from './readJsonBody.js'
import { withoutAllowance } from './withoutAllowance.js'

/**
 * Drops the fields that the service shows only to server keys, so that a browser gets what its client secret
 * allows.
 */
const withoutBuyerDetails = ({ gift: _gift, payment, lineItems, ...order }: Order): Order => {
  const { receiptEmail: _receiptEmail, ...shown } = payment
  const items = lineItems.map((item) => {
    if (!item.delivery.recipient) return item
    const { physicalAddress: _physicalAddress, ...recipient } = item.delivery.recipient
    return { ...item, delivery: { ...item.delivery, recipient } }
  })
  return { ...order, lineItems: items, payment: shown }
}

/** The terms on which a shop takes orders. */
export type CartTerms = {
  apiKey: string
  createOrder: CreateDraft
  /** Whether the secret stays in a cookie. */
  isByCookie: boolean
  /** Receives errors that the buyer did not cause. */
  tell(error: unknown): void
}

const { method, path } = operations.createOrder

/** The browser's own fields of an order. If the service refuses one, the buyer can fix it. */
const isOfBuyer = /^(payment|recipient|locale|promotionCode)\b/

/**
 * Creates an order from a browser's cart by the shop's function.
 *
 * @throws {@link HttpError} for an invalid body and for the service's refusal; {@link KassaError} for the
 * shop's own faults, including `api.unauthorized` and `api.forbidden` of its key.
 */
export const orderCart = async (
  service: ServiceAddress,
  request: Request,
  { apiKey, createOrder, isByCookie, tell }: CartTerms,
): Promise<Response> => {
  const key = await bindIdempotencyKey(request.headers.get('x-idempotency-key'), apiKey)
  const { timeoutMs } = service
  const cart = await readJsonBody(request, CartOrderBody, timeoutMs)
  const body = await readDraft(createOrder, cart, { request, timeoutMs })
  const headers = {
    'content-type': 'application/json',
    'x-api-key': apiKey,
    ...(key && { 'x-idempotency-key': key }),
  }
  const call = { method, path, headers, body }
  const answer = withoutAllowance(await callService(service, call, request.signal))
  const { status } = answer
  const context = toContext(answer)
  if (status === 401) throw apiError('api.unauthorized', context)
  if (status === 403) throw apiError('api.forbidden', context)
  if (status === 404 || (status === 400 && !isOfBuyer.test(context.message)))
    tell(apiError('api.bad-request', context))
  if (status >= 300) return forwardResponse(answer, `${service.baseUrl}${path}`)
  const created = readCreateOrderAnswer(readJson(answer.text))
  if (created.fault !== undefined || !isOrderId(created.data.order.orderId)) {
    const issues = created.fault ?? 'orderId: no UUID'
    throw apiError('api.invalid-answer', { url: `${service.baseUrl}${path}`, issues })
  }
  const { clientSecret } = created.data
  const order = withoutBuyerDetails(created.data.order)
  if (!isByCookie) return forwardResponse(answer, path, JSON.stringify({ clientSecret, order }))
  const response = forwardResponse(answer, path, JSON.stringify({ clientSecret: '', order }))
  const cookies = writeOrderCookies(
    { orderId: order.orderId, clientSecret },
    request.headers.get('cookie'),
    isSecure(request),
  )
  for (const cookie of cookies) response.headers.append('set-cookie', cookie)
  return response
}
