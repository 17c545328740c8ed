import * as z from 'zod/mini'
import { maybe } from './maybe.js'
import { openObject } from './open.js'

/**
 * A template from which many tokens of a collection are minted.
 *
 * @source interface.md "Token template"
 */
export const Template = openObject({
  /** A UUID of the service. */
  templateId: z.string(),
  metadata: openObject({
    name: maybe(z.string()),
    image: maybe(z.string()),
    description: maybe(z.string()),
    symbol: maybe(z.string()),
  }),
  /** Semi-fungible collections: the token id that all copies share. */
  onChain: maybe(openObject({ tokenId: maybe(z.number()) })),
  supply: maybe(openObject({ limit: maybe(z.number()), minted: maybe(z.number()) })),
})
export type Template = z.infer<typeof Template>

/** A page of a collection's templates. */
export const TemplateList = z.array(Template)
export type TemplateList = z.infer<typeof TemplateList>
