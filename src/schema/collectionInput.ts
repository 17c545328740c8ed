import * as z from 'zod/mini'
import { type CollectionChain, collectionChains } from './chains.js'
import { Decimal } from './decimal.js'
import { WalletAddress } from './locator.js'
import { buyerDetails, fungibilities } from './members.js'
import { Limit, orNoLimit } from './noLimit.js'
import { SaleRules, SaleRulesChange } from './saleInput.js'
import { FileUrl, nameText, text } from './text.js'

const metadata = {
  name: nameText(200),
  description: z.optional(text(5000)),
  imageUrl: z.optional(FileUrl),
  symbol: z.optional(nameText(32)),
}

const Currency = z
  .string()
  .check(z.regex(/^[A-Za-z][A-Za-z0-9]{1,11}$/, 'expected a currency such as "eth" or "usdc"'))

const payments = {
  /** `0` gives the tokens away. */
  price: Decimal,
  currency: z.optional(Currency),
  currencies: z.optional(
    z
      .array(Currency)
      .check(
        z.minLength(1, 'expected one currency or more'),
        z.maxLength(20, 'expected at most 20 currencies'),
      ),
  ),
  recipientAddress: z.optional(WalletAddress),
  royaltyBasisPoints: z.optional(
    z
      .int('expected a whole number')
      .check(z.gte(0, 'expected 0 or more'), z.lte(10_000, 'expected 10000 or less')),
  ),
  requires: z.optional(
    z
      .array(z.enum(buyerDetails, 'expected "physical-address" or "receipt-email"'))
      .check(z.maxLength(buyerDetails.length, `expected at most ${buyerDetails.length} entries`)),
  ),
}

/** The price of one token. Without `currency` it is in the chain's native currency. */
const Payments = z.object(payments)

/** The changes of a price; other fields stay. `null` removes the recipient, or the choice of currencies. */
const PaymentsChange = z.object({
  ...payments,
  price: z.optional(payments.price),
  currencies: z.nullish(payments.currencies),
  recipientAddress: z.optional(z.nullable(WalletAddress)),
})

const boolean = z.boolean('expected true or false')

/**
 * A client's request to create a collection.
 *
 * @units `payments.price` is a decimal string in whole units of `payments.currency`
 * @source interface.md "Collection", "Create collection (idempotent)"
 */
export const CreateCollectionBody = z.object({
  chain: z.enum(collectionChains as unknown as [CollectionChain, ...CollectionChain[]], {
    error: 'expected a chain such as "base-sepolia"',
  }),
  metadata: z.object(metadata),
  fungibility: z.optional(z.enum(fungibilities, 'expected "non-fungible" or "semi-fungible"')),
  transferable: z.optional(boolean),
  supplyLimit: z.optional(Limit),
  payments: z.optional(Payments),
  sale: z.optional(SaleRules),
  subscription: z.optional(z.object({ enabled: boolean })),
  reuploadLinkedFiles: z.optional(boolean),
})
export type CreateCollectionBody = z.infer<typeof CreateCollectionBody>

/** The permanent fields of a collection. */
const fixed = z.optional(z.never('cannot be changed'))

/**
 * A client's request to change a collection: only the fields to change, also within metadata, payments and
 * sale. `null` removes the rules of a sale, clears a description or a picture, and takes a collection off sale.
 * `unlimited` removes a limit. Any other field is refused.
 *
 * @source answers.md "Mint, NFTs, templates, collections"
 */
export const UpdateCollectionBody = z
  .strictObject({
    metadata: z.optional(
      z.object({
        ...metadata,
        name: z.optional(metadata.name),
        description: z.nullish(text(5000)),
        imageUrl: z.nullish(FileUrl),
      }),
    ),
    transferable: z.optional(boolean),
    supplyLimit: z.optional(orNoLimit(Limit)),
    payments: z.optional(z.nullable(PaymentsChange)),
    sale: z.optional(z.nullable(SaleRulesChange)),
    reuploadLinkedFiles: z.optional(boolean),
    chain: fixed,
    fungibility: fixed,
    subscription: fixed,
  })
  .check(
    z.refine(
      ({ reuploadLinkedFiles: _, ...changes }) =>
        Object.values(changes).some((change) => change !== undefined),
      'expected at least one of metadata, transferable, supplyLimit, payments, sale',
    ),
  )
export type UpdateCollectionBody = z.infer<typeof UpdateCollectionBody>
