import * as z from 'zod/mini'
import { nftMetadataFields } from './nftMetadataFields.js'
import { Limit, orNoLimit } from './noLimit.js'
import { smallJson } from './smallJson.js'
import { nameText } from './text.js'

const isSafe = (digits: string): boolean => BigInt(digits) <= BigInt(Number.MAX_SAFE_INTEGER)

const metadata = { ...nftMetadataFields, symbol: z.optional(nameText(10)) }

const supply = z.object({ limit: z.optional(Limit) })
const supplyChange = z.object({ limit: z.optional(orNoLimit(Limit)) })

const boolean = z.boolean('expected true or false')

/**
 * A client's request to create a template, with the metadata of its copies. `onChain.tokenId` is for
 * semi-fungible collections, `metadata.symbol` for Solana.
 *
 * @source interface.md "Token template", "Create token template"
 */
export const CreateTemplateBody = z.object({
  metadata: z.looseObject(metadata).check(smallJson),
  onChain: z.optional(
    z.object({
      tokenId: z.optional(
        z.string().check(
          z.regex(/^(0|[1-9]\d{0,15})$/, {
            error: 'expected a whole number as a string, such as "7"',
            abort: true,
          }),
          z.refine(isSafe, `expected ${Number.MAX_SAFE_INTEGER} or less`),
        ),
      ),
    }),
  ),
  supply: z.optional(supply),
  reuploadLinkedFiles: z.optional(boolean),
})
export type CreateTemplateBody = z.infer<typeof CreateTemplateBody>

/**
 * A client's request to change a template: only the fields to change, also within metadata. `unlimited` removes the
 * limit of its supply. Any other field is refused.
 *
 * @source answers.md "Revised: Wallets, tokens, credentials"
 */
export const UpdateTemplateBody = z
  .strictObject({
    metadata: z.optional(
      z
        .looseObject({
          ...metadata,
          name: z.optional(metadata.name),
          image: z.optional(metadata.image),
        })
        .check(smallJson),
    ),
    supply: z.optional(supplyChange),
    reuploadLinkedFiles: z.optional(boolean),
    onChain: z.optional(z.never('cannot be changed')),
  })
  .check(
    z.refine(
      ({ metadata, supply }) => metadata !== undefined || supply?.limit !== undefined,
      'expected metadata or supply.limit',
    ),
  )
export type UpdateTemplateBody = z.infer<typeof UpdateTemplateBody>
