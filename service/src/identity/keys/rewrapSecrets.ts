import { and, asc, eq, gt, isNotNull, ne } from 'drizzle-orm'
import { wallets, webhookEndpoints } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { endpointContext, walletContext } from '#base/ports/vault.js'
import { walletKeyId } from './countSecrets.js'

type RewrapDeps = Pick<Deps, 'db' | 'vault'>
type WalletKey = { id: string; encryptedKey: string | null }
type Endpoint = Pick<typeof webhookEndpoints.$inferSelect, 'id' | 'secrets'>

/**
 * The result for some rows: how many secrets were re-encrypted under the current key, and which rows cannot
 * be decrypted.
 */
export type Batch = { lastId: string | undefined; changed: number; failed: string[] }

const batchSize = 100

/** Re-encrypts a secret under the current master key. Returns `undefined` if it cannot be decrypted. */
const rewrap = ({ vault }: RewrapDeps, encrypted: string, context: string): Promise<string | undefined> =>
  vault.rewrap(encrypted, context).catch(() => undefined)

/** Re-encrypts a wallet's key under the current master key, unless it was changed meanwhile. */
const rewrapWallet = async (deps: RewrapDeps, { id, encryptedKey: known }: WalletKey) => {
  if (known === null) return 0
  const encryptedKey = await rewrap(deps, known, walletContext(id))
  if (encryptedKey === undefined) return undefined
  const changed = await deps.db
    .update(wallets)
    .set({ encryptedKey })
    .where(and(eq(wallets.id, id), eq(wallets.encryptedKey, known)))
    .returning({ id: wallets.id })
  return changed.length
}

/**
 * Re-encrypts an endpoint's secrets under the current master key, unless one was added or removed meanwhile.
 */
const rewrapEndpoint = async (deps: RewrapDeps, { id, secrets: known }: Endpoint) => {
  const secrets: Endpoint['secrets'] = []
  for (const one of known) {
    const encrypted = await rewrap(deps, one.encrypted, endpointContext(id))
    if (encrypted === undefined) return undefined
    secrets.push({ ...one, encrypted })
  }
  const count = secrets.filter(({ encrypted }, at) => encrypted !== known[at]?.encrypted).length
  if (!count) return 0
  const changed = await deps.db
    .update(webhookEndpoints)
    .set({ secrets })
    .where(and(eq(webhookEndpoints.id, id), eq(webhookEndpoints.secrets, known)))
    .returning({ id: webhookEndpoints.id })
  return changed.length && count
}

/** Handles each row separately, so that an interruption leaves some done and the rest to do. */
const rewrapEach = async <Row extends { id: string }>(
  rows: Row[],
  rewrapRow: (row: Row) => Promise<number | undefined>,
): Promise<Batch> => {
  let changed = 0
  const failed: string[] = []
  for (const row of rows) {
    const count = await rewrapRow(row)
    if (count === undefined) failed.push(row.id)
    else changed += count
  }
  return { lastId: rows.at(-1)?.id, changed, failed }
}

/** Re-encrypts the keys of the next wallets under the current master key. */
export const rewrapWallets = async (deps: RewrapDeps, afterId: string): Promise<Batch> => {
  const isLeft = and(isNotNull(wallets.encryptedKey), ne(walletKeyId, deps.vault.keyId))
  const rows = await deps.db
    .select({ id: wallets.id, encryptedKey: wallets.encryptedKey })
    .from(wallets)
    .where(and(isLeft, gt(wallets.id, afterId)))
    .orderBy(asc(wallets.id))
    .limit(batchSize)
  return rewrapEach(rows, (row) => rewrapWallet(deps, row))
}

/**
 * Re-encrypts the secrets of the next webhook endpoints, including removed ones, under the current master
 * key.
 */
export const rewrapEndpoints = async (deps: RewrapDeps, afterId: string): Promise<Batch> => {
  const rows = await deps.db
    .select({ id: webhookEndpoints.id, secrets: webhookEndpoints.secrets })
    .from(webhookEndpoints)
    .where(gt(webhookEndpoints.id, afterId))
    .orderBy(asc(webhookEndpoints.id))
    .limit(batchSize)
  return rewrapEach(rows, (row) => rewrapEndpoint(deps, row))
}
