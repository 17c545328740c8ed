import type { Transaction } from './db/database.js'

/** The permissions of keys. */
export const scopes = [
  'audit.read',
  'collections.create',
  'collections.read',
  'keys.manage',
  'mails.send',
  'nfts.create',
  'nfts.delete',
  'nfts.read',
  'orders.capture',
  'orders.create',
  'orders.read',
  'orders.refund',
  'orders.ship',
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
  'webhooks.manage',
  'webhooks.read',
  'webhooks.send',
] as const
/** The permissions that only people have, in the console. */
export const sessionScopes = ['console.members'] as const
/** One permission of a key or a session. */
export type Scope = (typeof scopes)[number] | (typeof sessionScopes)[number]

/** The roles of the console's accounts, from the most permissions to the fewest. */
export const roles = ['owner', 'operator', 'support', 'viewer'] as const
/** What an account of the console may do. */
export type Role = (typeof roles)[number]

/** The caller: the holder of an API key, of a session of the console, or of one order's client secret. */
export type Actor =
  | { kind: 'server-key' | 'client-key'; keyId: string; projectId: string; scopes: readonly Scope[] }
  | {
      kind: 'session'
      sessionId: string
      accountId: string
      /** Names the account in the audit log. */
      accountName: string
      role: Role
      projectId: string
      scopes: readonly Scope[]
      /** When its person last confirmed to be there. */
      confirmedAtMs?: number
    }
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
  client: {
    ipAddress?: string
    /** The network that limits count: the address, or a larger part of it that one customer has. */
    network?: string
    userAgent?: string
  }
  /** Identical for requests repeated under one idempotency key; absent without such a key. */
  requestHash?: string
  complete(tx: Transaction, reply: Reply): Promise<void>
}
