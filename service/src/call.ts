import type { Transaction } from './db/database.js'

/** The permissions of keys. */
export const scopes = [
  'collections.create',
  'collections.read',
  'nfts.create',
  'nfts.delete',
  'nfts.read',
  'orders.create',
  'orders.read',
  'orders.update',
  'users.create',
  'users.read',
  'wallets.create',
  'wallets.read',
  'wallets.fund',
  'wallets:balance.read',
  'wallets:nfts.read',
  'wallets:transactions.create',
  'wallets:transactions.read',
  'wallets:transactions.sign',
] as const
/** One permission of a key. */
export type Scope = (typeof scopes)[number]

/** The caller: the holder of an API key, or of one order's client secret. */
export type Actor =
  | { kind: 'server-key' | 'client-key'; keyId: string; projectId: string; scopes: readonly Scope[] }
  | { kind: 'client-secret'; projectId: string; orderId: string }

/** An answer as it is sent, which a repeated request under an idempotency key gets again. */
export type Reply = { status: 200 | 201; body: unknown }

/**
 * One call of a verb. A verb that writes calls `complete` inside its own database transaction, so that the
 * state and the answer stored under the caller's idempotency key are committed together.
 */
export type Call = {
  actor: Actor
  /** What the request shows about its origin. */
  client: { ipAddress?: string; userAgent?: string }
  /** Identical for requests repeated under one idempotency key; absent without such a key. */
  requestHash?: string
  complete(tx: Transaction, reply: Reply): Promise<void>
}
