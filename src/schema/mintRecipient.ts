import * as z from 'zod/mini'
import { aptosFault, isEmail, isOnAptos, toAsciiEmail, walletAddressPattern } from './limits.js'

/** The parts of a mint recipient: an address on a chain, or a user whose wallet on that chain the service keeps. */
export type MintRecipientParts = {
  kind: 'address' | 'email' | 'userId' | 'twitter'
  /** The address, e-mail address, user id or handle. */
  value: string
  chain: string
}

type Kind = MintRecipientParts['kind']

const isValue: Readonly<Record<Kind, (value: string) => boolean>> = {
  address: (value) => walletAddressPattern.test(value),
  email: isEmail,
  userId: (value) => /^[\x21-\x7e]{1,255}$/.test(value),
  twitter: (value) => /^@?\w{1,15}$/.test(value),
}

const faults: Readonly<Record<Kind, (value: string) => string>> = {
  address: (value) => (isOnAptos(value) ? aptosFault : `${value} is not a wallet address`),
  email: (value) => `expected an e-mail address, not ${value}`,
  userId: () => 'a user id has 1 to 255 printable ASCII characters without spaces',
  twitter: (value) => `expected a Twitter handle, not ${value}`,
}

const split = (text: string): MintRecipientParts | undefined => {
  const [, user, ofUser, last] = /^(?:(email|userId|twitter):)?(.*):([^:]*)$/.exec(text) ?? []
  if (ofUser === undefined || last === undefined) return undefined
  const kind = user === 'email' || user === 'userId' || user === 'twitter' ? user : 'address'
  const [chain, value] = kind === 'address' ? [ofUser, last] : [last, ofUser]
  if (!/^[a-z][a-z0-9-]*$/.test(chain)) return undefined
  return { kind, value: kind === 'email' ? toAsciiEmail(value) : value, chain }
}

/**
 * Parses the recipient of a mint. A user id may contain colons.
 *
 * @returns The parts, or undefined when the text is not a mint recipient.
 * @source interface.md "Other locators"
 */
export const parseMintRecipient = (text: string): MintRecipientParts | undefined => {
  const parts = split(text)
  return parts && isValue[parts.kind](parts.value) ? parts : undefined
}

const findFault = (text: string): string => {
  const parts = split(text)
  return parts?.value
    ? faults[parts.kind](parts.value.slice(0, 128))
    : 'expected <chain>:<address>, email:<email>:<chain>, userId:<id>:<chain> or twitter:<handle>:<chain>'
}

/**
 * The recipient of a token: `<chain>:<address>`, or `email:`, `userId:` or `twitter:`, then the user and the
 * chain.
 */
export const MintRecipient = z.string().check(
  z.refine((text) => parseMintRecipient(text) !== undefined, {
    error: ({ input }) => findFault(String(input)),
  }),
  z.maxLength(350, 'too long'),
)
export type MintRecipient = z.infer<typeof MintRecipient>
