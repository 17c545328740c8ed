import type { UserKind } from 'kassa/schema'

const handle = (value: string): string => `twitter:${value.replace(/^@/, '').toLowerCase()}`

const canonical: Readonly<Record<UserKind, (value: string) => string>> = {
  email: (value) => `email:${value.trim().toLowerCase()}`,
  userId: (value) => `userId:${value}`,
  phoneNumber: (value) => `phoneNumber:${value}`,
  twitter: handle,
  x: handle,
}

/**
 * Whom a wallet is kept for, such as `email:ada@example.com`: the same however the user's address or handle is
 * written, and by whichever name of the network it is from. An id of the merchant's own is taken as it is.
 */
export const userLocator = (kind: UserKind, value: string): string => canonical[kind](value)
