import * as z from 'zod/mini'
import { Email } from './email.js'
import { hasPostalCodes, maxLineLength } from './limits.js'
import { WalletAddress } from './locator.js'

const isShort = z.maxLength(maxLineLength, `expected ${maxLineLength} characters or fewer`)

const isMissing = (address: unknown): boolean =>
  typeof address === 'object' && address !== null && Reflect.get(address, 'postalCode') === undefined

const line = (what: string) => z.string().check(z.trim(), z.minLength(1, `expected ${what}`), isShort)

/**
 * The shipping address of an order's physical goods. `country` is an ISO 3166-1 alpha-2 code. `postalCode` may be absent
 * where the country has no postal codes.
 */
export const PhysicalAddress = z
  .object({
    name: line('a name'),
    line1: line('a street and number'),
    line2: z.optional(z.string().check(isShort)),
    city: line('a city'),
    state: z.optional(z.string().check(isShort)),
    postalCode: z.optional(z.string().check(z.trim(), isShort)),
    country: z.string().check(z.regex(/^[A-Z]{2}$/, 'expected a two-letter country code such as "DE"')),
  })
  .check(
    z.refine(({ postalCode, country }) => Boolean(postalCode) || !hasPostalCodes(country), {
      error: ({ input }) => (isMissing(input) ? 'required' : 'expected a postal code'),
      path: ['postalCode'],
    }),
  )
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
