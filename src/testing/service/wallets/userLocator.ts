import { parseUserLocator, type UserKind } from '../../../schema/walletLocator.js'

const handle = (value: string): string => `twitter:${value.replace(/^@/, '').toLowerCase()}`

const canonical: Readonly<Record<UserKind, (value: string) => string>> = {
  email: (value) => `email:${value.trim().toLowerCase()}`,
  userId: (value) => `userId:${value}`,
  phoneNumber: (value) => `phoneNumber:${value}`,
  twitter: handle,
  x: handle,
}

/** Whom a wallet is kept for: the same however the user's address or handle is written. */
export const toUserLocator = (kind: UserKind, value: string): string => canonical[kind](value)

/** Reads a wallet's owner; undefined if the text names none. */
export const readUserLocator = (text: string): string | undefined => {
  const user = parseUserLocator(text)
  return user && toUserLocator(user.kind, user.value)
}
