import * as z from 'zod/mini'
import { Email } from './email.js'
import { maxLineLength } from './limits.js'
import { WalletAddress } from './locator.js'

const isShort = z.maxLength(maxLineLength, `expected ${maxLineLength} characters or fewer`)

const line = (what: string) => z.string().check(z.trim(), z.minLength(1, `expected ${what}`), isShort)

/** The shipping address of an order's physical goods. `country` is an ISO 3166-1 alpha-2 code. */
export const PhysicalAddress = z.object({
  name: line('a name'),
  line1: line('a street and number'),
  line2: z.optional(z.string().check(isShort)),
  city: line('a city'),
  state: z.optional(z.string().check(isShort)),
  postalCode: line('a postal code'),
  country: z.string().check(z.regex(/^[A-Z]{2}$/, 'expected a two-letter country code such as "DE"')),
})
export type PhysicalAddress = z.infer<typeof PhysicalAddress>

/**
 * The recipient of the goods: an e-mail user or a wallet, exactly one of them.
 *
 * @source interface.md "Create order"; answers.md "Create order, edit order"
 */
export const RecipientInput = z
  .object({
    email: z.optional(Email),
    walletAddress: z.optional(WalletAddress),
    physicalAddress: z.optional(PhysicalAddress),
  })
  .check(
    z.refine(
      (recipient) => (recipient.email === undefined) !== (recipient.walletAddress === undefined),
      'expected either email or walletAddress',
    ),
  )
export type RecipientInput = z.infer<typeof RecipientInput>
