import type { MintNftBody } from 'kassa/schema'
import { hashRequest } from '../hashRequest.js'

/** What a caller who does not say so means. */
export const mintDefaults = { sendNotification: true, locale: 'en-US', reuploadLinkedFiles: true } as const

/** What tells one request for a token from another: the same for the same meaning, defaults said or not. */
export const hashMint = (body: MintNftBody): string => hashRequest({ ...mintDefaults, ...body })
