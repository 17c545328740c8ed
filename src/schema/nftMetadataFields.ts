import * as z from 'zod/mini'
import { FileUrl, nameText, text } from './text.js'

/** One trait of a token. Marketplaces' own fields, such as `display_type`, are kept. */
const Attribute = z.looseObject({
  trait_type: z.optional(nameText(200)),
  value: z.union(
    [
      z.string().check(z.maxLength(1000, 'expected 1000 characters or fewer')),
      z.number(),
      z.boolean('expected true or false'),
    ],
    { error: 'expected a string, a number, true or false' },
  ),
})

/** The known metadata fields of a token or a template. */
export const nftMetadataFields = {
  name: nameText(200),
  image: FileUrl,
  description: z.optional(text(5000)),
  animation_url: z.optional(FileUrl),
  attributes: z.optional(z.array(Attribute).check(z.maxLength(100, 'expected at most 100 attributes'))),
}
