import { eq } from 'drizzle-orm'
import { webhookEndpoints } from '../db/tables/index.js'
import { lockMasterKey } from '../keys/lockMasterKey.js'
import { createSecret, keepValid, type SecretDeps } from './endpointSecrets.js'
import { lockEndpoint } from './lockEndpoint.js'

/**
 * Gives an endpoint a new secret. Events are also signed with the old ones for as long as those are kept, so
 * that a receiver can switch at any time in between.
 *
 * @throws {@link ServiceError} `not-found`.
 */
export const rotateSecret = async (
  deps: SecretDeps,
  { endpointId, keepMs }: { endpointId: string; keepMs: number },
): Promise<{ secret: string }> => {
  const { secret, encrypted } = await createSecret(deps, endpointId.toLowerCase())
  await deps.db.transaction(async (tx) => {
    await lockMasterKey(tx, encrypted)
    const nowMs = deps.now()
    const { id, secrets } = await lockEndpoint(tx, endpointId)
    const untilMs = nowMs + keepMs
    const ending = secrets.map(({ encrypted, expiresAt }) => {
      const endMs = expiresAt === undefined ? untilMs : Math.min(Date.parse(expiresAt), untilMs)
      return { encrypted, expiresAt: new Date(endMs).toISOString() }
    })
    const kept = [{ encrypted }, ...keepValid(ending, nowMs)]
    await tx.update(webhookEndpoints).set({ secrets: kept }).where(eq(webhookEndpoints.id, id))
  })
  return { secret }
}
