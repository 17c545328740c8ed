import { createHash } from 'node:crypto'
import { canonicalJson } from 'kassa/engine'

/** Returns a hash that identifies a request's content, independently of the order of its fields. */
export const hashRequest = (body: unknown): string =>
  createHash('sha256').update(canonicalJson(body)).digest('hex')
