import { createHash } from 'node:crypto'
import { canonicalJson } from './canonicalJson.js'

/** What tells one request from another: the same for the same content, in whatever order its fields came. */
export const hashRequest = (body: unknown): string =>
  createHash('sha256').update(canonicalJson(body)).digest('hex')
