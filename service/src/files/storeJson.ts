import { canonicalJson } from 'kassa/engine'
import type { Deps } from '../deps.js'

/**
 * Stores a value as JSON with sorted keys, so that equal values have one address.
 *
 * @returns The JSON's `ipfs://` URI.
 */
export const storeJson = async ({ storage }: Pick<Deps, 'storage'>, value: unknown): Promise<string> => {
  const bytes = new TextEncoder().encode(canonicalJson(value))
  return `ipfs://${await storage.put(bytes, 'application/json')}`
}
