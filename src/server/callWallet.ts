import { apiError } from '../errors/apiError.js'
import { readField } from '../errors/readField.js'
import { callService, type ServiceAddress, type ServiceAnswer } from './callService.js'
import { passOn, readJson, toContext } from './passOn.js'
import { Refusal } from './Refusal.js'
import { withoutAllowance } from './withoutAllowance.js'
import { withoutCaller } from './withoutCaller.js'

/** One call of the service in the shop's own name. */
export type WalletCall = {
  method: 'GET' | 'POST'
  path: string
  body?: object | undefined
  idempotencyKey?: string | undefined
  /** The wallet it is about, as the browser names it: `me:<walletType>`. */
  wallet?: string | undefined
}

/** The service, and the key it is asked with. */
export type WalletService = ServiceAddress & { apiKey: string }

const pick = (value: unknown, names: readonly string[]): object =>
  Object.fromEntries(
    names.flatMap((name): [string, string][] => {
      const text = readField(value, name)
      return typeof text === 'string' ? [[name, text]] : []
    }),
  )

/** Why a transaction was not taken, where the service says more of it than a message: passed on by name. */
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
 * That the user has no such wallet yet, in one wording and by the name that the browser knows: so a page tells it from
 * an address where no wallets are.
 */
const refuseNone = (answer: ServiceAnswer, wallet: string | undefined): void => {
  const isNone = answer.status === 404 && /^wallet\b.* not found$/i.test(toContext(answer).message)
  if (isNone && wallet !== undefined) throw new Refusal(404, `Wallet ${wallet} not found`)
}

/**
 * Asks the service with the shop's own key.
 *
 * @throws {@link KassaError} `api.unauthorized` and `api.forbidden` of that key, `api.unreachable`, `api.timeout`
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
  // Neither is anything that a buyer did, or could mend.
  if (answer.status === 401) throw apiError('api.unauthorized', toContext(answer))
  if (answer.status === 403) throw apiError('api.forbidden', toContext(answer))
  return answer
}

/**
 * Asks the service with the shop's own key, and hands what it says to the browser, but for what it says of the shop's
 * own server.
 *
 * @throws {@link Refusal} of the service's own status; {@link KassaError} for what is the shop's fault
 */
export const callWallet = async (
  service: WalletService,
  call: WalletCall,
  buyer: AbortSignal,
): Promise<Response> => {
  const answer = await askService(service, call, buyer)
  refuseNone(answer, call.wallet)
  return passRefusal(answer) ?? passOn(answer, `${service.baseUrl}${call.path}`, withoutCaller(answer.text))
}
