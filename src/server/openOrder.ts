import { callOf } from '../api/fillPath.js'
import { EditOrderBody } from '../schema/editOrder.js'
import { editOrder, getOrder, refreshOrder, reportPayment } from '../schema/operations.js'
import { ReportPaymentBody } from '../schema/paymentInput.js'
import { callService, type ServiceAddress } from './callService.js'
import type { Operation } from './findOperation.js'
import { forwardResponse } from './forwardResponse.js'
import { HttpError } from './HttpError.js'
import { readOrderCookie } from './orderCookie.js'
import { type CheckEdit, readEdit } from './readEdit.js'
import { readJsonBody } from './readJsonBody.js'

type OnOrder = Exclude<Operation, { name: 'createOrder' }>

const rows = { getOrder, editOrder, refreshOrder, reportPayment }

const readSecret = (request: Request, orderId: string, isByCookie: boolean): string => {
  const secret = isByCookie
    ? readOrderCookie(request.headers.get('cookie'), orderId, request)
    : request.headers.get('authorization') || undefined
  if (secret && /^[\x21-\x7e]{1,512}$/.test(secret.replace(/^bearer +/i, ''))) return secret
  throw new HttpError(401, isByCookie ? 'This browser holds no such order' : 'Authorization: required')
}

/** The terms on which a shop opens orders. */
export type OpenTerms = {
  /** Whether the secret stays in a cookie. */
  isByCookie: boolean
  checkEdit: CheckEdit | undefined
}

const readBody = async (
  request: Request,
  { name, orderId }: OnOrder,
  checkEdit: CheckEdit | undefined,
  timeoutMs: number,
): Promise<object> => {
  if (name === 'reportPayment') return readJsonBody(request, ReportPaymentBody, timeoutMs)
  if (name !== 'editOrder') return {}
  const edit = await readJsonBody(request, EditOrderBody, timeoutMs)
  return checkEdit ? readEdit(checkEdit, edit, { orderId, request }, timeoutMs) : edit
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
  request: Request,
  { isByCookie, checkEdit }: OpenTerms,
): Promise<Response> => {
  const secret = readSecret(request, operation.orderId, isByCookie)
  const { orderId } = operation
  const { method, path } = callOf(rows[operation.name], { orderId })
  const body = method === 'GET' ? undefined : await readBody(request, operation, checkEdit, service.timeoutMs)
  const etag = method === 'GET' ? request.headers.get('if-none-match') : null
  const headers = {
    authorization: secret,
    ...(body && { 'content-type': 'application/json' }),
    ...(etag && { 'if-none-match': etag }),
  }
  const answer = await callService(service, { method, path, headers, body }, request.signal)
  return forwardResponse(answer, `${service.baseUrl}${path}`)
}
