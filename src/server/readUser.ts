import { serverError } from '../errors/serverError.js'
import { parseUserLocator } from '../schema/walletLocator.js'
import { callShop } from './callShop.js'
import { Refusal } from './Refusal.js'

/**
 * A shop's own function: who is signed in, as its own session says. It gives `email:ada@example.com`, `userId:42`,
 * `phoneNumber:…`, `twitter:…` or `x:…`; undefined when nobody is.
 */
export type FindUser = (request: Request) => string | undefined | Promise<string | undefined>

const invalid = (reason: string) => serverError('config.user-invalid', { reason })

/**
 * Asks the shop who is signed in.
 *
 * @throws {@link Refusal} 401 when nobody is; {@link KassaError} `config.user-invalid`, `config.function-slow`; whatever the function throws.
 */
export const readUser = async (findUser: FindUser, request: Request, timeoutMs: number): Promise<string> => {
  const user: unknown = await callShop('user', () => findUser(request), timeoutMs)
  if (user === undefined || user === null) throw new Refusal(401, 'Nobody is signed in')
  // What it gave is somebody's address: no log needs it.
  if (typeof user !== 'string' || !parseUserLocator(user))
    throw invalid('expected a user such as email:ada@example.com')
  return user
}
