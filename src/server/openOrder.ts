import { callOf } from '../api/fillPath.js'
import { writeQuery } from '../api/writeQuery.js'
import { CreateAuthorizationBody } from '../schema/authorization.js'
import { EditOrderBody } from '../schema/editOrder.js'
import {
  createAuthorization,
  editOrder,
  getOrder,
  listPaymentOptions,
  refreshOrder,
  reportPayment,
  streamOrder,
} from '../schema/operations.js'
import { ReportPaymentBody } from '../schema/paymentInput.js'
import { callService, openServiceStream, type ServiceAddress } from './callService.js'
import { forwardResponse } from './forwardResponse.js'
import { HttpError } from './HttpError.js'
import { readOrderCookie } from './orderCookie.js'
import { type CheckEdit, readEdit } from './readEdit.js'
import { readJsonBody } from './readJsonBody.js'

const rows = { getOrder, editOrder, refreshOrder, reportPayment, createAuthorization, listPaymentOptions }

type OnOrder = { name: keyof typeof rows; orderId: string }

const readSecret = (
  orderId: string,
  { request, isByCookie }: Pick<OrderVisit, 'request' | 'isByCookie'>,
): string => {
  const secret = isByCookie
    ? readOrderCookie(request.headers.get('cookie'), orderId, request)
    : request.headers.get('authorization') || undefined
  if (secret && /^[\x21-\x7e]{1,512}$/.test(secret.replace(/^bearer +/i, ''))) return secret
  throw new HttpError(401, isByCookie ? 'This browser does not have this order' : 'Authorization: required')
}

/** A browser's request, and the terms on which a shop opens an order for it. */
export type OrderVisit = {
  request: Request
  /** Whether the secret stays in a cookie. */
  isByCookie: boolean
  checkEdit: CheckEdit | undefined
}

const readBody = async (
  { name, orderId }: OnOrder,
  { request, checkEdit }: OrderVisit,
  timeoutMs: number,
): Promise<object> => {
  if (name === 'reportPayment') return readJsonBody(request, ReportPaymentBody, timeoutMs)
  if (name === 'createAuthorization') return readJsonBody(request, CreateAuthorizationBody, timeoutMs)
  if (name !== 'editOrder') return {}
  const edit = await readJsonBody(request, EditOrderBody, timeoutMs)
  return checkEdit ? readEdit(checkEdit, edit, { orderId, request, timeoutMs }) : edit
}

/** Returns what the browser may say in the query of a request, with its question mark. */
const readQuery = ({ url }: Request, { name }: OnOrder): string => {
  const payerAddress = new URL(url).searchParams.get('payerAddress')
  return name === 'listPaymentOptions' && payerAddress !== null ? writeQuery({ payerAddress }) : ''
}

/**
 * Reads or changes an order for the holder of its secret. The server key is not used.
 *
 * @throws {@link HttpError} 401 without the secret, or the service's refusal; {@link KassaError} for an edit
 * the shop refuses, or for its own faults.
 */
export const openOrder = async (
  service: ServiceAddress,
  operation: OnOrder,
  visit: OrderVisit,
): Promise<Response> => {
  const { request } = visit
  const { orderId } = operation
  const secret = readSecret(orderId, visit)
  const { method, path } = callOf(rows[operation.name], { orderId })
  const body = method === 'GET' ? undefined : await readBody(operation, visit, service.timeoutMs)
  const etag = method === 'GET' ? request.headers.get('if-none-match') : null
  const headers = {
    authorization: secret,
    ...(body && { 'content-type': 'application/json' }),
    ...(etag && { 'if-none-match': etag }),
  }
  const asked = `${path}${readQuery(request, operation)}`
  const answer = await callService(service, { method, path: asked, headers, body }, request.signal)
  return forwardResponse(answer, `${service.baseUrl}${path}`)
}

/**
 * Streams an order to the holder of its secret.
 *
 * @throws {@link HttpError} as {@link openOrder}.
 */
export const followOrder = async (
  service: ServiceAddress,
  orderId: string,
  visit: Pick<OrderVisit, 'request' | 'isByCookie'>,
): Promise<Response> => {
  const { request } = visit
  const authorization = readSecret(orderId, visit)
  const { method, path } = callOf(streamOrder, { orderId })
  const lastEventId = request.headers.get('last-event-id')
  const headers = {
    authorization,
    accept: 'text/event-stream',
    ...(lastEventId && { 'last-event-id': lastEventId }),
  }
  const answer = await openServiceStream(service, { method, path, headers }, request.signal)
  if (!('stream' in answer)) {
    // A service before streams does not know the path. With this answer, the page polls.
    if (answer.status === 204) return new Response(null, { status: 204 })
    return forwardResponse(answer, `${service.baseUrl}${path}`)
  }
  // Compression and proxies would hold the events back.
  const held = { 'cache-control': 'private, no-store, no-transform', 'x-accel-buffering': 'no' }
  return new Response(answer.stream, { headers: { 'content-type': 'text/event-stream', ...held } })
}
