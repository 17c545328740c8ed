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
