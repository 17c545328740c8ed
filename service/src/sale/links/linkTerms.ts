import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { isLoopbackOrigin } from '#base/lib/isLoopbackOrigin.js'
import { listOrigins } from '#identity/keys/clientKeys.js'

type OriginDeps = Pick<Deps, 'db' | 'config' | 'now'>

const refuse = (message: string) => new ServiceError('input-invalid', `successUrl: ${message}`)

const parse = (text: string): URL => {
  if (!URL.canParse(text)) throw refuse('expected a URL such as https://shop.example/thanks')
  const url = new URL(text)
  if (url.username || url.password) throw refuse('must not contain a user name or a password')
  return url
}

/** Whether a page of an origin may be where buyers go after a purchase from a project. */
const isAllowed = ({ config }: OriginDeps, origin: string, origins: readonly string[]): boolean =>
  origins.includes(origin) || (config.isSandbox && isLoopbackOrigin(origin))

/** Whether a stored success URL still leads to a page of the project: a key that named its origin may be revoked. */
export const isOwnPage = async (deps: OriginDeps, projectId: string, url: string): Promise<boolean> =>
  isAllowed(deps, new URL(url).origin, await listOrigins(deps.db, projectId, deps.now()))

/**
 * Reads where buyers go after a purchase: a page of an origin that a client key of the project allows.
 *
 * @throws {@link ServiceError} `input-invalid`, naming the field and the allowed origins.
 */
export const readSuccessUrl = async (deps: OriginDeps, projectId: string, text: string): Promise<string> => {
  const url = parse(text)
  const origins = await listOrigins(deps.db, projectId, deps.now())
  if (isAllowed(deps, url.origin, origins)) return url.href
  const known = origins.length ? `Allowed: ${origins.join(', ')}` : 'The project has no client key yet'
  throw refuse(
    `expected a page of an origin that a client key of the project allows, not of ${url.origin}. ${known}`,
  )
}

/**
 * Reads when a payment link ends.
 *
 * @throws {@link ServiceError} `input-invalid` if it is past.
 */
export const readEnd = ({ now }: Pick<Deps, 'now'>, text: string): Date => {
  const end = new Date(text)
  if (end.getTime() > now()) return end
  throw new ServiceError('input-invalid', 'expiresAt: expected a time in the future')
}
