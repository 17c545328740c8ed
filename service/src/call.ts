import type { Transaction } from './db/database.js'

/** What a key may be allowed to do. */
export const scopes = [
  'collections.create',
  'collections.read',
  'nfts.create',
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
/** One thing a key may be allowed to do. */
export type Scope = (typeof scopes)[number]

/** Who is calling: the holder of an API key, or the holder of one order's client secret. */
export type Actor =
  | { kind: 'server-key' | 'client-key'; keyId: string; projectId: string; scopes: readonly Scope[] }
  | { kind: 'client-secret'; projectId: string; orderId: string }

/** An answer as it will be written: what an idempotency key plays back. */
export type Reply = { status: 200 | 201; body: unknown }

/**
 * One call of a verb. A verb that writes calls `complete` inside its own database transaction, so that the
 * state and the answer remembered under the caller's idempotency key are committed together.
 */
export type Call = {
  actor: Actor
  /** What the request said of where it came from. */
  client: { ipAddress?: string; userAgent?: string }
  /** The same for a request that is sent again under its idempotency key; absent where there is no such key. */
  requestHash?: string
  complete(tx: Transaction, reply: Reply): Promise<void>
}
