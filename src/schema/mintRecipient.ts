import * as z from 'zod/mini'
import { emailPattern, walletAddressPattern } from './limits.js'

/** The parts of a mint recipient: an address on a chain, or a user whose wallet on that chain the service keeps. */
export type MintRecipientParts = {
  kind: 'address' | 'email' | 'userId' | 'twitter'
  /** The address, e-mail address, user id or handle. */
  value: string
  chain: string
}

const isValue = {
  address: (value: string) => walletAddressPattern.test(value),
  email: (value: string) => value.length <= 254 && emailPattern.test(value),
  userId: (value: string) => /^[\x21-\x7e]{1,255}$/.test(value),
  twitter: (value: string) => /^@?\w{1,15}$/.test(value),
} as const

/**
 * Takes the recipient of a mint apart. A user id may hold colons.
 *
 * @returns The parts, or undefined when the text is not a mint recipient.
 * @source interface.md "Other locators"
 */
export const parseMintRecipient = (text: string): MintRecipientParts | undefined => {
  const [, user, ofUser, last] = /^(?:(email|userId|twitter):)?(.+):([^:]+)$/.exec(text) ?? []
  if (!ofUser || !last) return undefined
  const kind = user === 'email' || user === 'userId' || user === 'twitter' ? user : 'address'
  const [chain, value] = kind === 'address' ? [ofUser, last] : [last, ofUser]
  if (!/^[a-z][a-z0-9-]*$/.test(chain) || !isValue[kind](value)) return undefined
  return { kind, value, chain }
}

/** Who gets a token: `<chain>:<address>`, or `email:`, `userId:` or `twitter:`, then the user and the chain. */
export const MintRecipient = z
  .string()
  .check(
    z.refine(
      (text) => parseMintRecipient(text) !== undefined,
      'expected <chain>:<address>, email:<email>:<chain>, userId:<id>:<chain> or twitter:<handle>:<chain>',
    ),
  )
export type MintRecipient = z.infer<typeof MintRecipient>
