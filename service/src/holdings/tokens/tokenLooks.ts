import { dropHidden } from 'kassa/engine'
import * as z from 'zod/mini'

const text = (most: number) => z.catch(z.optional(z.string().check(z.maxLength(most))), undefined)

/** Limits for attributes: their number and the length of each. */
const maxAttributes = 200
const maxOfAttribute = 4_000

const Looks = z.object({
  name: text(1_000),
  description: text(20_000),
  /** On-chain pictures are `data:` URLs of some length. */
  image: text(200_000),
  animation_url: text(200_000),
  attributes: z.catch(z.optional(z.array(z.unknown())), undefined),
})

/** The fields of a token that wallets show. */
export type TokenLooks = {
  name?: string
  description?: string
  image?: string
  animation_url?: string
  attributes?: unknown[]
}

const isAttribute = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && JSON.stringify(value).length <= maxOfAttribute

/**
 * Reads the fields that wallets show from the metadata of a token. They are not trusted: a field of another type than
 * expected, or one that is too long, is left out.
 */
export const toTokenLooks = (json: unknown): TokenLooks => {
  const { success, data } = z.safeParse(Looks, json)
  if (!success) return {}
  const { attributes, ...texts } = data
  const looks: TokenLooks = {}
  for (const name of ['name', 'description', 'image', 'animation_url'] as const) {
    const value = texts[name]
    if (value !== undefined) looks[name] = dropHidden(value)
  }
  if (attributes) looks.attributes = attributes.filter(isAttribute).slice(0, maxAttributes)
  return looks
}
