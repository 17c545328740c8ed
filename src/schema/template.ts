import * as z from 'zod/mini'

/**
 * What many tokens of a collection are minted from.
 *
 * @source interface.md "Token template"
 */
export const Template = z.looseObject({
  /** A UUID of the service. */
  templateId: z.string(),
  metadata: z.looseObject({
    name: z.optional(z.string()),
    image: z.optional(z.string()),
    description: z.optional(z.string()),
    symbol: z.optional(z.string()),
  }),
  /** Semi-fungible collections: the token id that all copies share. */
  onChain: z.optional(z.looseObject({ tokenId: z.optional(z.number()) })),
  supply: z.optional(z.looseObject({ limit: z.optional(z.number()), minted: z.optional(z.number()) })),
})
export type Template = z.infer<typeof Template>

/** A page of a collection's templates. */
export const TemplateList = z.array(Template)
export type TemplateList = z.infer<typeof TemplateList>
