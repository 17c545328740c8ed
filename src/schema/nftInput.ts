import * as z from 'zod/mini'
import { LocaleTag } from './localeTag.js'
import { ChosenId } from './locator.js'
import { MintRecipient } from './mintRecipient.js'
import { nftMetadataFields } from './nftMetadataFields.js'
import { smallJson } from './smallJson.js'

const boolean = z.boolean('expected true or false')

/** A token's metadata: at most 16 KiB of JSON. Other fields of the ERC-721 metadata standard are kept. */
export const NftMetadataInput = z.looseObject(nftMetadataFields).check(smallJson)
export type NftMetadataInput = z.infer<typeof NftMetadataInput>

/**
 * A client's request to mint a token: its own metadata or a template's, and its recipient.
 *
 * @source interface.md "Mint NFT"
 */
export const MintNftBody = z
  .object({
    recipient: MintRecipient,
    metadata: z.optional(NftMetadataInput),
    /** The template's id: a UUID that the service gave it, or the id that the caller chose. */
    templateId: z.optional(ChosenId),
    sendNotification: z.optional(boolean),
    locale: z.optional(LocaleTag),
    reuploadLinkedFiles: z.optional(boolean),
    compressed: z.optional(boolean),
  })
  .check(
    z.refine(
      (body) => (body.metadata === undefined) !== (body.templateId === undefined),
      'expected either metadata or templateId',
    ),
  )
export type MintNftBody = z.infer<typeof MintNftBody>

/** The permanent fields of a token. */
const fixed = z.optional(z.never('cannot be changed'))

/**
 * A client's request to change a token. `metadata` replaces the current one as a whole. A new expiry renews a
 * subscription. Any other field is refused.
 *
 * @source answers.md "Mint, NFTs, templates, collections"
 */
export const UpdateNftBody = z
  .strictObject({
    metadata: z.optional(NftMetadataInput),
    subscription: z.optional(
      z.object({ expiresAt: z.iso.datetime({ offset: true, error: 'expected an ISO 8601 time' }) }),
    ),
    reuploadLinkedFiles: z.optional(boolean),
    recipient: fixed,
    templateId: fixed,
  })
  .check(
    z.refine(
      (body) => body.metadata !== undefined || body.subscription !== undefined,
      'expected metadata or subscription',
    ),
  )
export type UpdateNftBody = z.infer<typeof UpdateNftBody>
