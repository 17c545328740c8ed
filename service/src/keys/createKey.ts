import type { Database } from '../db/database.js'
import { type Environment, type KeyKind, newApiKey } from './apiKey.js'
import { saveKey } from './saveKey.js'

/** The kind of a new key and its permissions. */
export type CreateKeyInput = {
  kind: KeyKind
  environment: Environment
  projectId: string
  scopes: readonly string[]
  origins: readonly string[]
}

/**
 * Creates and stores an API key.
 *
 * @returns The key itself, which is shown only this once.
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
