/** How a user is known: by an e-mail address, an id of the merchant's own, or a handle. */
export type UserKind = 'email' | 'userId' | 'twitter'

const canonical: Readonly<Record<UserKind, (value: string) => string>> = {
  email: (value) => value.trim().toLowerCase(),
  userId: (value) => value,
  twitter: (value) => value.replace(/^@/, '').toLowerCase(),
}

/**
 * Whom a wallet is kept for, such as `email:ada@example.com`: the same however the user's address or handle is
 * written. An id of the merchant's own is taken as it is.
 */
export const userLocator = (kind: UserKind, value: string): string => `${kind}:${canonical[kind](value)}`
