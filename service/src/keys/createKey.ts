import type { Database } from '../db/database.js'
import { type Environment, type KeyKind, newApiKey } from './apiKey.js'
import { saveKey } from './saveKey.js'

/** What a new key is for and what it may do. */
export type CreateKeyInput = {
  kind: KeyKind
  environment: Environment
  projectId: string
  scopes: readonly string[]
  origins: readonly string[]
}

/**
 * Makes and remembers an API key.
 *
 * @returns The key itself: the only time it is ever shown.
 * @throws {@link ServiceError} `input-invalid` for an unknown scope or a bad origin.
 */
export const createKey = async (
  deps: { db: Database; randomBytes(length: number): Uint8Array },
  { kind, environment, ...input }: CreateKeyInput,
): Promise<string> => {
  const key = newApiKey(kind, environment, deps.randomBytes)
  await saveKey(deps.db, { ...input, key })
  return key
}
