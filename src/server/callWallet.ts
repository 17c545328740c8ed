import { readJson } from '../api/request.js'
import { apiError } from '../errors/apiError.js'
import { readField } from '../errors/readField.js'
import { callService, type ServiceAddress, type ServiceAnswer } from './callService.js'
import { forwardResponse, toContext } from './forwardResponse.js'
import { HttpError } from './HttpError.js'
import { withoutAllowance } from './withoutAllowance.js'

type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

const withoutMetadata = (approval: unknown): unknown => {
  if (!isFields(approval)) return approval
  const { metadata: _, ...rest } = approval
  return rest
}

const withoutCallers = (transaction: unknown): unknown => {
  const approvals = readField(transaction, 'approvals')
  if (!isFields(transaction) || !isFields(approvals) || !Array.isArray(approvals.submitted))
    return transaction
  return { ...transaction, approvals: { ...approvals, submitted: approvals.submitted.map(withoutMetadata) } }
}

/**
 * Removes from transactions the address and client that approved them. Those are the shop's own server's,
 * which visitors need not know.
 *
 * @param text - Any answer's body; without transactions it stays unchanged.
 */
const withoutCaller = (text: string): string => {
  const answer = readJson(text)
  if (isFields(answer) && Array.isArray(answer.transactions))
    return JSON.stringify({ ...answer, transactions: answer.transactions.map(withoutCallers) })
  const shown = withoutCallers(answer)
  return shown === answer ? text : JSON.stringify(shown)
}

/** One call to the service on the shop's behalf. */
export type WalletCall = {
  method: 'GET' | 'POST'
  path: string
  body?: object | undefined
  idempotencyKey?: string | undefined
  /** The wallet concerned, as the browser names it: `me:<walletType>`. */
  wallet?: string | undefined
}

/** The service and the shop's key for it. */
export type WalletService = ServiceAddress & { apiKey: string }

const pick = (value: unknown, names: readonly string[]): object =>
  Object.fromEntries(
    names.flatMap((name): [string, string][] => {
      const text = readField(value, name)
      return typeof text === 'string' ? [[name, text]] : []
    }),
  )

/**
 * Forwards why a transaction was refused, if the service says more than a message. The fields are selected by
 * name.
 */
const passRefusal = (answer: ServiceAnswer): Response | undefined => {
  const body = readJson(answer.text)
  const error = readField(body, 'error')
  if (answer.status !== 422 || typeof error !== 'object') return undefined
  const revert = readField(error, 'revert')
  const names = ['type', 'reason', 'reasonData', 'explorerLink', 'simulationLink']
  const told = {
    ...pick(error, ['reason', 'message']),
    ...(typeof revert === 'object' && { revert: pick(revert, names) }),
  }
  const headers = { 'cache-control': 'private, no-store' }
  return Response.json({ error: told, ...pick(body, ['message']) }, { status: 422, headers })
}

/**
 * Answers that the user has no such wallet yet. The wording and code are fixed, so that a page can tell this
 * from an address without a wallet handler.
 */
const refuseNone = (answer: ServiceAnswer, wallet: string | undefined): void => {
  const isNone = answer.status === 404 && /^wallet\b.* not found$/i.test(toContext(answer).message)
  if (isNone && wallet !== undefined) throw new HttpError(404, `Wallet ${wallet} not found`)
}

/**
 * Calls the service with the shop's own key.
 *
 * @throws {@link KassaError} `api.unauthorized` and `api.forbidden` of that key, `api.unreachable`,
 * `api.timeout`
 */
export const askService = async (
  { apiKey, ...service }: WalletService,
  { method, path, body, idempotencyKey }: WalletCall,
  buyer: AbortSignal,
): Promise<ServiceAnswer> => {
  const headers = {
    'x-api-key': apiKey,
    ...(body && { 'content-type': 'application/json' }),
    ...(idempotencyKey && { 'x-idempotency-key': idempotencyKey }),
  }
  const answer = withoutAllowance(await callService(service, { method, path, headers, body }, buyer))
  // The buyer neither caused these nor can fix them.
  if (answer.status === 401) throw apiError('api.unauthorized', toContext(answer))
  if (answer.status === 403) throw apiError('api.forbidden', toContext(answer))
  return answer
}

/**
 * Calls the service with the shop's own key and forwards the answer to the browser, without what it says
 * about the shop's own server.
 *
 * @throws {@link HttpError} with the service's status; {@link KassaError} for the shop's own faults
 */
export const callWallet = async (
  service: WalletService,
  call: WalletCall,
  buyer: AbortSignal,
): Promise<Response> => {
  const answer = await askService(service, call, buyer)
  refuseNone(answer, call.wallet)
  return (
    passRefusal(answer) ??
    forwardResponse(answer, `${service.baseUrl}${call.path}`, withoutCaller(answer.text))
  )
}
