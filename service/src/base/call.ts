import type { Transaction } from './db/database.js'
import type { Role, Scope } from './scopes.js'

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
