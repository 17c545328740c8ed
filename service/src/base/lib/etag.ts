import { createHash } from 'node:crypto'

/** Returns the strong `ETag` of an answer's body. */
export const etagOf = (body: string): string => `"${createHash('sha256').update(body).digest('base64url')}"`
