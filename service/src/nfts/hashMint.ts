import type { MintNftBody } from 'kassa/schema'
import { hashRequest } from '../lib/hashRequest.js'

/** The defaults of a mint's optional fields. */
export const mintDefaults = { sendNotification: true, locale: 'en-US', reuploadLinkedFiles: true } as const

/**
 * Returns a hash that identifies a request for a token. Requests with the same meaning have the same hash,
 * with or without the defaults.
 */
export const hashMint = (body: MintNftBody): string => hashRequest({ ...mintDefaults, ...body })
