import * as z from 'zod/mini'
import { keepHours } from './keepHours.js'
import { maybe } from './maybe.js'
import { type ApiKeyKind, type ApiKeyStatus, apiKeyKinds } from './members.js'
import { known, openObject } from './open.js'
import { nameText, text } from './text.js'

const fields = {
  keyId: z.string(),
  /** What its owner calls it. */
  name: maybe(z.string()),
  kind: known<ApiKeyKind>(),
  scopes: z.array(z.string()),
  /** The web pages that may use a client key. */
  origins: z.array(z.string()),
  status: known<ApiKeyStatus>(),
  createdAt: z.string(),
  /** About when it was last used, to the hour; absent if it never was. */
  lastUsedAt: maybe(z.string()),
  /** When a key that was rolled stops working. */
  expiresAt: maybe(z.string()),
  revokedAt: maybe(z.string()),
}

/** An API key of a project, without the key itself. */
export const ApiKey = openObject(fields)
export type ApiKey = z.infer<typeof ApiKey>

/** A page of a project's keys, newest first. */
export const ApiKeyList = openObject({ data: z.array(ApiKey) })
export type ApiKeyList = z.infer<typeof ApiKeyList>

/** A new API key. `key` is the key itself, which is shown only this once. */
export const CreatedApiKey = openObject({ ...fields, key: z.string() })
export type CreatedApiKey = z.infer<typeof CreatedApiKey>

const listOf = (what: string) => z.array(text(200)).check(z.maxLength(100, `expected at most 100 ${what}`))

/**
 * A request for an API key. A caller can give the scopes that it has itself. A client key has `orders.create` and the
 * origins of its pages.
 */
export const CreateApiKeyBody = z.object({
  name: nameText(100),
  kind: z.optional(z.enum(apiKeyKinds, 'expected "server" or "client"')),
  scopes: z.optional(listOf('scopes')),
  origins: z.optional(listOf('origins')),
})
export type CreateApiKeyBody = z.infer<typeof CreateApiKeyBody>

/** How long the old key still works, by default not at all. */
export const RollApiKeyBody = z.object({ keepHours: z.optional(keepHours(168)) })
export type RollApiKeyBody = z.infer<typeof RollApiKeyBody>
