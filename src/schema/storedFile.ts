import * as z from 'zod/mini'
import { openObject } from './open.js'

/** A picture that the service has stored. */
export const StoredFile = openObject({
  /** `ipfs://` and the content identifier: what `imageUrl` of a collection and `image` of a token take. */
  url: z.string(),
  /** Where the service serves it to browsers. */
  gatewayUrl: z.string(),
  contentType: z.string(),
  /** @units bytes */
  size: z.number(),
})
export type StoredFile = z.infer<typeof StoredFile>
