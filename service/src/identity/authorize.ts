import { type Audience, assertScope as assertAnyScope } from 'kassa/engine'
import type { Actor } from '#base/call.js'
import { checkInput, ServiceError } from '#base/errors.js'
import type { Role, Scope } from '#base/scopes.js'

/** A scope, or several of which any one is enough. */
export type WantedScope = Scope | readonly Scope[]

const forbidden = (message: string) => new ServiceError('forbidden', message)

/** Formats the scopes that a key needs. */
const writeScope = (wanted: WantedScope): string => [wanted].flat().join(' or ')

/**
 * Requires a scope of a key or a session.
 *
 * @param holder - What has the scopes, at the start of a sentence.
 * @throws {@link ServiceError} `forbidden`, naming the missing scope.
 */
export const assertScope = (scopes: readonly Scope[], wanted: WantedScope, holder?: string): void =>
  checkInput(() => assertAnyScope(scopes, wanted, holder))

/** Names what gives an actor its scopes, at the start of a sentence. */
export const holderOf = (role: Role): string => `The role ${role}`

/**
 * Requires that the caller's key has a scope.
 *
 * @throws {@link ServiceError} `forbidden`, naming the missing scope.
 */
export const requireScope = (actor: Actor, wanted: WantedScope): void => {
  if (actor.kind === 'client-secret') {
    const message = `A client secret cannot be used here: use an API key with the scope ${writeScope(wanted)}`
    throw forbidden(message)
  }
  assertScope(actor.scopes, wanted, actor.kind === 'session' ? holderOf(actor.role) : undefined)
}

/**
 * Requires that the caller is the merchant, with a server key or a session that has a scope.
 *
 * @throws {@link ServiceError} `forbidden`, also for keys that browsers may hold.
 */
export const requireServerScope = (actor: Actor, wanted: WantedScope): void => {
  requireScope(actor, wanted)
  if (actor.kind === 'client-key') {
    throw forbidden(`A client key cannot be used here: use a server key with the scope ${writeScope(wanted)}`)
  }
}

/**
 * Requires the order's client secret, or the merchant with the scope. For the holder of another order's
 * secret, the order does not exist.
 *
 * @throws {@link ServiceError} `not-found`, `forbidden`.
 */
export const requireOrderAccess = (actor: Actor, scope: Scope, orderId: string): void => {
  if (actor.kind !== 'client-secret') requireServerScope(actor, scope)
  else if (actor.orderId.toLowerCase() !== orderId.toLowerCase()) {
    throw new ServiceError('not-found', 'Not found')
  }
}

const confirmedMs = 5 * 60_000

/**
 * Requires of a session that its person confirmed to be there in the last five minutes: a browser that was left open,
 * or a stolen cookie, moves nothing of a buyer's.
 *
 * @throws {@link ServiceError} `forbidden`, saying how to confirm.
 */
export const requireConfirmation = (actor: Actor, nowMs: number): void => {
  if (actor.kind !== 'session') return
  if (actor.confirmedAtMs !== undefined && nowMs - actor.confirmedAtMs < confirmedMs) return
  throw forbidden(
    'The service signs for this wallet. Confirm that it is you, with a passkey or a code by e-mail (POST /console/account/confirmations), and send this again within 5 minutes',
  )
}

/** Returns the reader of an order: server keys and sessions are the merchant's. */
export const audienceOf = ({ kind }: Pick<Actor, 'kind'>): Audience =>
  kind === 'server-key' || kind === 'session' ? 'merchant' : 'buyer'
