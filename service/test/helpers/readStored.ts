import type { Deps } from '#base/deps.js'

/** Reads a stored file as JSON, by its `ipfs://` address. */
export const readStored = async ({ storage }: Pick<Deps, 'storage'>, uri = '') => {
  const file = await storage.get(uri.replace('ipfs://', ''))
  return JSON.parse(Buffer.from(file?.bytes ?? []).toString())
}
