import { EditOrderBody } from '../schema/editOrder.js'
import { ReportPaymentBody } from '../schema/paymentInput.js'
import { callService, type ServiceAddress } from './callService.js'
import type { Operation } from './findOperation.js'
import { readOrderCookie } from './orderCookie.js'
import { passOn } from './passOn.js'
import { Refusal } from './Refusal.js'
import { readJsonBody } from './readJsonBody.js'

type OnOrder = Exclude<Operation, { name: 'createOrder' }>

const calls: Readonly<Record<OnOrder['name'], { method: string; action: string }>> = {
  getOrder: { method: 'GET', action: '' },
  editOrder: { method: 'PATCH', action: '' },
  refreshOrder: { method: 'POST', action: '/refresh' },
  reportPayment: { method: 'POST', action: '/payment' },
}

const readSecret = ({ headers }: Request, orderId: string, isByCookie: boolean): string => {
  const secret = isByCookie
    ? readOrderCookie(headers.get('cookie'), orderId)
    : headers.get('authorization') || undefined
  if (secret && /^[\x21-\x7e]{1,512}$/.test(secret.replace(/^bearer +/i, ''))) return secret
  throw new Refusal(401, isByCookie ? 'This browser holds no such order' : 'Authorization: required')
}

const readBody = (request: Request, { name }: OnOrder, timeoutMs: number): Promise<object> => {
  if (name === 'editOrder') return readJsonBody(request, EditOrderBody, timeoutMs)
  if (name === 'reportPayment') return readJsonBody(request, ReportPaymentBody, timeoutMs)
  return Promise.resolve({})
}

/**
 * Reads or changes an order for whoever holds its secret. The server key has no part in it.
 *
 * @throws {@link Refusal} 401 without the secret; whatever the service refuses.
 */
export const openOrder = async (
  service: ServiceAddress,
  operation: OnOrder,
  request: Request,
  { isByCookie }: { isByCookie: boolean },
): Promise<Response> => {
  const secret = readSecret(request, operation.orderId, isByCookie)
  const { method, action } = calls[operation.name]
  const path = `/2022-06-09/orders/${operation.orderId}${action}`
  const body = method === 'GET' ? undefined : await readBody(request, operation, service.timeoutMs)
  const etag = method === 'GET' ? request.headers.get('if-none-match') : null
  const headers = {
    authorization: secret,
    ...(body && { 'content-type': 'application/json' }),
    ...(etag && { 'if-none-match': etag }),
  }
  const answer = await callService(service, { method, path, headers, body }, request.signal)
  return passOn(answer, `${service.baseUrl}${path}`)
}
