import type { Config } from '#base/config/config.js'
import type { Transaction } from '#base/db/database.js'
import { insertCollection } from './insertCollection.js'

/** The collections every project has. They are not for sale until the merchant sets a price. */
export const createDefaultCollections = async (
  tx: Transaction,
  { projectId, environment }: { projectId: string; environment: Config['environment'] },
  nowMs: number,
): Promise<void> => {
  const polygon = environment === 'production' ? 'polygon' : 'polygon-amoy'
  const solana = { projectId, id: 'default-solana', chain: 'solana', name: 'Default (Solana)' } as const
  await insertCollection(tx, solana, nowMs)
  const other = { projectId, id: 'default-polygon', chain: polygon, name: 'Default (Polygon)' } as const
  await insertCollection(tx, other, nowMs)
}
