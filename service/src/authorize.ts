import type { Actor, Scope } from './call.js'
import { ServiceError } from './errors.js'

/** A scope, or several of which any will do. */
export type WantedScope = Scope | readonly Scope[]

const forbidden = (message: string) => new ServiceError('forbidden', message)

/** Writes what a key has to have. */
const writeScope = (wanted: WantedScope): string => [wanted].flat().join(' or ')

/**
 * Asks for a scope of a key.
 *
 * @throws {@link ServiceError} `forbidden`, naming the scope that the key lacks.
 */
export const assertScope = (scopes: readonly Scope[], wanted: WantedScope): void => {
  if (![wanted].flat().some((scope) => scopes.includes(scope))) {
    throw forbidden(`The API key lacks the scope ${writeScope(wanted)}`)
  }
}

/**
 * Lets only callers pass whose key has a scope.
 *
 * @throws {@link ServiceError} `forbidden`, naming the scope that the caller lacks.
 */
export const requireScope = (actor: Actor, wanted: WantedScope): void => {
  if (actor.kind === 'client-secret') {
    const message = `A client secret does not open this: an API key with the scope ${writeScope(wanted)} does`
    throw forbidden(message)
  }
  assertScope(actor.scopes, wanted)
}

/**
 * Lets only servers pass whose key has a scope.
 *
 * @throws {@link ServiceError} `forbidden`, for keys that browsers may hold too.
 */
export const requireServerScope = (actor: Actor, wanted: WantedScope): void => {
  requireScope(actor, wanted)
  if (actor.kind !== 'server-key') {
    throw forbidden(`A client key does not open this: a server key with the scope ${writeScope(wanted)} does`)
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
