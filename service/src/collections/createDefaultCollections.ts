import type { Config } from '../config.js'
import type { Transaction } from '../db/database.js'
import { createCollection } from './createCollection.js'

/** The collections every project has. They are not for sale until the merchant sets a price. */
export const createDefaultCollections = async (
  tx: Transaction,
  { projectId, environment }: { projectId: string; environment: Config['environment'] },
  nowMs: number,
): Promise<void> => {
  const shared = { projectId, description: '', imageUrl: '', symbol: 'TOKEN' }
  const polygon = environment === 'production' ? 'polygon' : 'polygon-amoy'
  await createCollection(
    tx,
    { ...shared, id: 'default-solana', chain: 'solana', name: 'Default (Solana)' },
    nowMs,
  )
  await createCollection(
    tx,
    { ...shared, id: 'default-polygon', chain: polygon, name: 'Default (Polygon)' },
    nowMs,
  )
}
