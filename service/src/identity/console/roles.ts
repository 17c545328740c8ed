import { type Role, type Scope, scopes, sessionScopes } from '#base/scopes.js'

/** Reading that not everyone may do: the audit log says who did what, and webhooks are for developers. */
const restricted: readonly Scope[] = ['audit.read', 'webhooks.read']

/** What a viewer and everyone else may read. */
const reading: readonly Scope[] = scopes.filter(
  (scope) => scope.endsWith('.read') && !restricted.includes(scope),
)

/** What only owners may do: a person who chooses roles or creates keys can take any scope. */
const ownersOnly: readonly Scope[] = ['audit.read', 'console.members', 'keys.manage']

const scopesOfRoles: Readonly<Record<Role, readonly Scope[]>> = {
  owner: [...scopes, ...sessionScopes],
  operator: scopes.filter((scope) => !ownersOnly.includes(scope)),
  support: [...reading, 'mails.send', 'orders.refund', 'orders.ship', 'orders.update', 'webhooks.send'],
  viewer: reading,
}

/** Returns the scopes of a role's sessions. They are checked as those of a server key are. */
export const scopesOf = (role: Role): readonly Scope[] => scopesOfRoles[role]
