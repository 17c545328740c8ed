import * as z from 'zod/mini'
import { aptosFault, isEmail, isOnAptos, toAsciiEmail, walletAddressPattern } from './limits.js'
import { type WalletType, walletTypes } from './walletMembers.js'

/** The ways to identify a user: by an e-mail address, the merchant's own id, a phone number or a handle. */
export const userKinds = ['email', 'userId', 'phoneNumber', 'twitter', 'x'] as const
/** A way to identify a user. */
export type UserKind = (typeof userKinds)[number]

/** A user, as a locator names one. */
export type UserLocatorParts = { kind: UserKind; value: string }

const isValue: Readonly<Record<UserKind, (value: string) => boolean>> = {
  email: isEmail,
  userId: (value) => /^[\x21-\x7e]{1,255}$/.test(value),
  phoneNumber: (value) => /^\+[1-9]\d{6,14}$/.test(value),
  twitter: (value) => /^@?\w{1,15}$/.test(value),
  x: (value) => /^@?\w{1,15}$/.test(value),
}

const faults: Readonly<Record<UserKind, string>> = {
  email: 'expected an e-mail address after email:',
  userId: 'a user id has 1 to 255 printable ASCII characters without spaces',
  phoneNumber: 'expected a phone number such as phoneNumber:+15551234567',
  twitter: 'expected a handle of 1 to 15 letters, digits and underscores after twitter:',
  x: 'expected a handle of 1 to 15 letters, digits and underscores after x:',
}

const isKind = (text: string): text is UserKind => userKinds.some((kind) => kind === text)

const splitUser = (text: string): UserLocatorParts | undefined => {
  const colon = text.indexOf(':')
  const kind = text.slice(0, Math.max(0, colon))
  const value = text.slice(colon + 1)
  return isKind(kind) ? { kind, value: kind === 'email' ? toAsciiEmail(value) : value } : undefined
}

/**
 * Parses a user's locator, such as `email:ada@example.com`. A user id may contain colons.
 *
 * @returns The parts, or undefined when the text names no user.
 * @source interface.md "Create wallet"
 */
export const parseUserLocator = (text: string): UserLocatorParts | undefined => {
  const parts = splitUser(text)
  return parts && isValue[parts.kind](parts.value) ? parts : undefined
}

const findUserFault = (text: string): string => {
  const parts = splitUser(text)
  return parts ? faults[parts.kind] : `expected one of ${userKinds.map((kind) => `${kind}:…`).join(', ')}`
}

/** A user: `email:`, `userId:`, `phoneNumber:`, `twitter:` or `x:`, then who it is. */
export const UserLocator = z.string().check(
  z.refine((text) => parseUserLocator(text) !== undefined, {
    error: ({ input }) => findUserFault(String(input)),
  }),
  z.maxLength(300, 'too long'),
)
export type UserLocator = z.infer<typeof UserLocator>

/** A wallet: by its address, or by its user and type. */
export type WalletLocatorParts =
  | { kind: 'address'; address: string }
  | { kind: 'user'; user: UserLocatorParts; walletType: WalletType }

const isWalletType = (text: string): text is WalletType => walletTypes.some((type) => type === text)

/**
 * Parses a wallet's locator.
 *
 * @returns The parts, or undefined when the text is not a wallet locator.
 * @source interface.md "Wallet locator formats"
 */
export const parseWalletLocator = (text: string): WalletLocatorParts | undefined => {
  if (walletAddressPattern.test(text)) return { kind: 'address', address: text }
  const colon = text.lastIndexOf(':')
  const walletType = text.slice(colon + 1)
  const user = parseUserLocator(text.slice(0, Math.max(0, colon)))
  return user && isWalletType(walletType) ? { kind: 'user', user, walletType } : undefined
}

const findWalletFault = (text: string): string => {
  if (isOnAptos(text)) return aptosFault
  const colon = text.lastIndexOf(':')
  if (!splitUser(text))
    return 'expected a wallet address, or a user and a wallet type such as email:<email>:evm-smart-wallet'
  if (!isWalletType(text.slice(colon + 1)))
    return `expected a wallet type at its end: ${walletTypes.join(', ')}`
  return findUserFault(text.slice(0, colon))
}

/** A wallet: its address, or `email:`, `userId:`, `phoneNumber:`, `twitter:` or `x:`, the user, and the wallet type. */
export const WalletLocator = z.string().check(
  z.refine((text) => parseWalletLocator(text) !== undefined, {
    error: ({ input }) => findWalletFault(String(input)),
  }),
)
export type WalletLocator = z.infer<typeof WalletLocator>
