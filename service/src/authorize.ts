import type { Actor, Scope } from '../call.js'
import { ServiceError } from '../errors.js'

const forbidden = (message: string) => new ServiceError('forbidden', message)

/**
 * Lets only callers pass whose key has a scope.
 *
 * @throws {@link ServiceError} `forbidden`, naming the scope that the caller lacks.
 */
export const requireScope = (actor: Actor, scope: Scope): void => {
  if (actor.kind === 'client-secret') {
    throw forbidden(`A client secret does not open this: an API key with the scope ${scope} does`)
  }
  if (!actor.scopes.includes(scope)) throw forbidden(`The API key lacks the scope ${scope}`)
}

/**
 * Lets only servers pass whose key has a scope.
 *
 * @throws {@link ServiceError} `forbidden`, for keys that browsers may hold too.
 */
export const requireServerScope = (actor: Actor, scope: Scope): void => {
  requireScope(actor, scope)
  if (actor.kind !== 'server-key') {
    throw forbidden(`A client key does not open this: a server key with the scope ${scope} does`)
  }
}

/**
 * Lets in the holder of the order's client secret, or of a server key with the scope. Any other order does not
 * exist for the holder of a secret.
 *
 * @throws {@link ServiceError} `not-found`, `forbidden`.
 */
export const requireOrderAccess = (actor: Actor, scope: Scope, orderId: string): void => {
  if (actor.kind !== 'client-secret') requireServerScope(actor, scope)
  else if (actor.orderId.toLowerCase() !== orderId.toLowerCase()) {
    throw new ServiceError('not-found', 'Not found')
  }
}
