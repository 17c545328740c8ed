import { serverError } from '../errors/serverError.js'
import { parseUserLocator } from '../schema/walletLocator.js'
import { callShop } from './callShop.js'
import { HttpError } from './HttpError.js'

/**
 * A shop's own function that returns the signed-in user from its session: `email:ada@example.com`,
 * `userId:42`, `phoneNumber:…`, `twitter:…` or `x:…`; undefined without one.
 */
export type FindUser = (request: Request) => string | undefined | Promise<string | undefined>

const invalid = (reason: string) => serverError('config.user-invalid', { reason })

/**
 * Asks the shop for the signed-in user.
 *
 * @throws {@link HttpError} 401 without one; {@link KassaError} `config.user-invalid`, `config.function-slow`;
 * errors that the function throws.
 */
export const readUser = async (findUser: FindUser, request: Request, timeoutMs: number): Promise<string> => {
  const user: unknown = await callShop('user', () => findUser(request), timeoutMs)
  if (user === undefined || user === null) throw new HttpError(401, 'No user is signed in')
  // The returned value may be a person's address, so no log gets it.
  if (typeof user !== 'string' || !parseUserLocator(user))
    throw invalid('expected a user such as email:ada@example.com')
  return user
}
