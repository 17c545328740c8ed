import { bigint, index, jsonb, pgTable, text, timestamp, unique, uuid } from 'drizzle-orm/pg-core'
import type { Role } from '../../scopes.js'
import { bytea } from './bytea.js'
import { projects } from './projects.js'

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/** The people who work in a project's console. */
export const consoleAccounts = pgTable(
  'console_accounts',
  {
    id: uuid('id').primaryKey(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id),
    /** In lower case; null if the account signs in with passkeys only. */
    email: text('email'),
    role: text('role').$type<Role>().notNull(),
    createdAt: at('created_at').notNull(),
  },
  (table) => [
    unique('console_accounts_address').on(table.projectId, table.email),
    index('console_accounts_email').on(table.email),
  ],
)

/** The passkeys of accounts. */
export const consolePasskeys = pgTable(
  'console_passkeys',
  {
    /** The credential's id, in base64url. */
    id: text('id').primaryKey(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => consoleAccounts.id, { onDelete: 'cascade' }),
    publicKey: bytea('public_key').notNull(),
    /** How often the authenticator says that it signed. Many always say 0. */
    counter: bigint('counter', { mode: 'number' }).notNull(),
    transports: jsonb('transports').$type<string[]>().notNull(),
    createdAt: at('created_at').notNull(),
    usedAt: at('used_at'),
  },
  (table) => [index('console_passkeys_account').on(table.accountId)],
)

/** The browsers in which an account is signed in. */
export const consoleSessions = pgTable(
  'console_sessions',
  {
    id: uuid('id').primaryKey(),
    /** SHA-256 of the cookie, in hex. */
    tokenHash: text('token_hash').notNull().unique(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => consoleAccounts.id, { onDelete: 'cascade' }),
    createdAt: at('created_at').notNull(),
    /** When it was last used, within a minute. */
    seenAt: at('seen_at').notNull(),
    /** When it ends, however often it is used. */
    expiresAt: at('expires_at').notNull(),
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    /** When its person last confirmed to be there, with a passkey or a code by e-mail. */
    confirmedAt: at('confirmed_at'),
  },
  (table) => [
    index('console_sessions_account').on(table.accountId),
    index('console_sessions_expiring').on(table.expiresAt),
  ],
)

/** Secrets that work once: the links of invitations and e-mails, the challenges of passkeys, and codes. */
export const consoleTokens = pgTable(
  'console_tokens',
  {
    /** SHA-256 in hex. */
    hash: text('hash').primaryKey(),
    kind: text('kind', {
      enum: ['invitation', 'sign-in', 'challenge', 'registration', 'confirmation'],
    }).notNull(),
    /** The project that an invitation is for. */
    projectId: uuid('project_id').references(() => projects.id),
    role: text('role').$type<Role>(),
    email: text('email'),
    /** The account that a sign-in link, a registration or a code is for. */
    accountId: uuid('account_id').references(() => consoleAccounts.id, { onDelete: 'cascade' }),
    createdAt: at('created_at').notNull(),
    expiresAt: at('expires_at').notNull(),
    /** The account that made an invitation; null for the operator's command. */
    inviterId: uuid('inviter_id').references(() => consoleAccounts.id, { onDelete: 'cascade' }),
    /** SHA-256 of the network that requested a sign-in link, in hex. */
    networkHash: text('network_hash'),
  },
  (table) => [
    index('console_tokens_account').on(table.accountId, table.kind),
    index('console_tokens_expiring').on(table.expiresAt),
  ],
)

/** What people did in the console. Rows are never changed, except for the outcome of a pending one. */
export const auditEntries = pgTable(
  'audit_entries',
  {
    id: uuid('id').primaryKey(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id),
    /** Outlives the account. */
    accountId: uuid('account_id'),
    /** The account's e-mail address at the time, or what else names it. */
    actor: text('actor').notNull(),
    operation: text('operation').notNull(),
    /** The ids in the path of the request, such as `orderId=…`. */
    resource: text('resource').notNull(),
    outcome: text('outcome', { enum: ['pending', 'succeeded', 'refused', 'failed'] }).notNull(),
    requestId: text('request_id'),
    ipAddress: text('ip_address'),
    createdAt: at('created_at').notNull(),
  },
  (table) => [index('audit_entries_newest').on(table.projectId, table.createdAt, table.id)],
)
