import { eq } from 'drizzle-orm'
import { masterKeyChecks } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { countSecrets } from './countSecrets.js'
import { lockKeyChecks } from './lockKeyChecks.js'
import { type Batch, rewrapEndpoints, rewrapWallets } from './rewrapSecrets.js'

/** The result of a rotation, and what still prevents its end. */
export type Rotation = {
  /** The master key that everything is under once the rotation is done. */
  keyId: string
  wallets: number
  webhookSecrets: number
  /** Master keys without secrets, which may be removed. */
  retired: string[]
  /** Master keys that still, or again, have secrets and must stay. */
  remaining: string[]
  /** Rows whose secrets none of the available keys decrypts. */
  failed: string[]
}

const firstId = '00000000-0000-0000-0000-000000000000'
/** Limits the passes while a service still writes under an earlier key. */
const maxPasses = 10

const pass = async (batch: (afterId: string) => Promise<Batch>): Promise<Omit<Batch, 'lastId'>> => {
  let changed = 0
  const failed: string[] = []
  for (let afterId: string | undefined = firstId; afterId !== undefined; ) {
    const done: Batch = await batch(afterId)
    changed += done.changed
    failed.push(...done.failed)
    afterId = done.lastId
  }
  return { changed, failed }
}

/**
 * Re-encrypts all secrets under the current master key, while services read and write them. Only the data
 * keys are encrypted again. If it is interrupted at any point, it can be run again.
 */
export const rotateMasterKey = async (deps: Pick<Deps, 'db' | 'vault'>): Promise<Rotation> => {
  const { keyId } = deps.vault
  const done = { wallets: 0, webhookSecrets: 0, failed: new Set<string>() }
  for (let passes = 0; passes < maxPasses; passes++) {
    const wallets = await pass((afterId) => rewrapWallets(deps, afterId))
    const endpoints = await pass((afterId) => rewrapEndpoints(deps, afterId))
    done.wallets += wallets.changed
    done.webhookSecrets += endpoints.changed
    done.failed = new Set([...wallets.failed, ...endpoints.failed])
    if (!wallets.changed && !endpoints.changed) break
  }
  const { retired, remaining } = await deps.db.transaction(async (tx) => {
    const known = await lockKeyChecks(tx)
    const remaining = (await countSecrets(tx)).map((use) => use.keyId).filter((id) => id !== keyId)
    const retired = known.map((check) => check.keyId).filter((id) => id !== keyId && !remaining.includes(id))
    for (const id of retired) await tx.delete(masterKeyChecks).where(eq(masterKeyChecks.keyId, id))
    return { retired, remaining }
  })
  return { keyId, ...done, failed: [...done.failed], retired, remaining }
}
