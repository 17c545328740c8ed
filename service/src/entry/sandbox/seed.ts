import { readFile } from 'node:fs/promises'
import type { Deps } from '#base/deps.js'
import { scopes } from '#base/scopes.js'
import { createDefaultCollections } from '#goods/collections/createDefaultCollections.js'
import { insertCollection } from '#goods/collections/insertCollection.js'
import { saveKey } from '#identity/keys/apiKeys.js'
import { createProject } from '#identity/projects/projects.js'
import { catalog } from './catalog.js'
import type { SandboxKeys } from './readSandboxKeys.js'

const projectName = 'sandbox'

/**
 * Inserts the sandbox's initial data: a project, its keys, its default collections and the shop's. Repeating
 * it changes only the origins of the client key, since the storefront's port may have changed.
 */
export const seed = async (
  { db, notices, storage, config, now }: Pick<Deps, 'db' | 'notices' | 'storage' | 'config' | 'now'>,
  keys: SandboxKeys,
): Promise<{ projectId: string }> => {
  const projectId = await createProject(db, projectName, 'Recto')
  await saveKey(
    { db, notices },
    { projectId, key: keys.serverKey, scopes, origins: [], name: 'Sandbox server' },
  )
  await saveKey(
    { db, notices },
    {
      projectId,
      key: keys.clientKey,
      scopes: ['orders.create'],
      origins: keys.origins,
      name: 'Sandbox storefront',
    },
  )
  const pictures = new Map<string, string>()
  for (const { id, picture } of catalog) {
    const bytes = await readFile(new URL(`./pictures/${picture}`, import.meta.url))
    pictures.set(id, `ipfs://${await storage.put(bytes, 'image/svg+xml')}`)
  }
  await db.transaction(async (tx) => {
    await createDefaultCollections(tx, { projectId, environment: config.environment }, now())
    for (const { id, chain, name, description, symbol, price, currency, supplyLimit } of catalog) {
      await insertCollection(
        tx,
        {
          projectId,
          id,
          chain,
          name,
          description,
          symbol,
          imageUrl: pictures.get(id) ?? '',
          supplyLimit,
          payments: { price, currency },
        },
        now(),
      )
    }
  })
  return { projectId }
}
