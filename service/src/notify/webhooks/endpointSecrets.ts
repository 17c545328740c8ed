import { eq } from 'drizzle-orm'
import type { Transaction } from '#base/db/database.js'
import { webhookEndpoints } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { endpointContext } from '#base/ports/vault.js'
import { lockMasterKey } from '#identity/keys/lockMasterKey.js'
import { type EndpointKey, lockEndpoint, type StoredEndpoint } from './lockEndpoint.js'

type Endpoint = Pick<typeof webhookEndpoints.$inferSelect, 'id' | 'secrets'>

/** What creating and decrypting endpoints' secrets needs. */
export type SecretDeps = Pick<Deps, 'db' | 'now' | 'randomBytes' | 'vault'>

/** A valid signing secret, and its end if it was replaced. */
export type EndpointSecret = { secret: string; expiresAt?: string }

/** Creates a signing secret of 256 random bits, and its encrypted form for storage. */
export const createSecret = async (
  { vault, randomBytes }: Pick<SecretDeps, 'vault' | 'randomBytes'>,
  endpointId: string,
): Promise<{ secret: string; encrypted: string }> => {
  const secret = `whsec_${Buffer.from(randomBytes(32)).toString('base64')}`
  return { secret, encrypted: await vault.encrypt(Buffer.from(secret), endpointContext(endpointId)) }
}

/** Returns an endpoint's stored secrets that are valid at a time. */
const keepValid = (secrets: Endpoint['secrets'], nowMs: number): Endpoint['secrets'] =>
  secrets.filter(({ expiresAt }) => expiresAt === undefined || Date.parse(expiresAt) > nowMs)

/** Decrypts an endpoint's secrets that are valid at a time, newest first. */
export const openSecrets = (
  vault: Deps['vault'],
  { id, secrets }: Endpoint,
  nowMs: number,
): Promise<EndpointSecret[]> =>
  Promise.all(
    keepValid(secrets, nowMs).map(async ({ encrypted, expiresAt }) => {
      const secret = Buffer.from(await vault.decrypt(encrypted, endpointContext(id))).toString()
      return { secret, ...(expiresAt !== undefined && { expiresAt }) }
    }),
  )

/** A new secret, and the endpoint that it is for. */
export type NewSecret = { endpoint: StoredEndpoint; secret: string }

/**
 * Gives an endpoint a new secret. Events are also signed with the old ones for as long as those are kept, so
 * that a receiver can switch at any time in between.
 *
 * @param complete - Ends the call in the same transaction.
 * @throws {@link ServiceError} `not-found`.
 */
export const rotateSecret = async (
  deps: SecretDeps,
  { keepMs, ...key }: EndpointKey & { keepMs: number },
  complete: (tx: Transaction, created: NewSecret) => Promise<void> = async () => {},
): Promise<NewSecret> => {
  const { secret, encrypted } = await createSecret(deps, key.endpointId.toLowerCase())
  return deps.db.transaction(async (tx) => {
    await lockMasterKey(tx, encrypted)
    const nowMs = deps.now()
    const endpoint = await lockEndpoint(tx, key)
    const untilMs = nowMs + keepMs
    const ending = endpoint.secrets.map(({ encrypted, expiresAt }) => {
      const endMs = expiresAt === undefined ? untilMs : Math.min(Date.parse(expiresAt), untilMs)
      return { encrypted, expiresAt: new Date(endMs).toISOString() }
    })
    const kept = [{ encrypted }, ...keepValid(ending, nowMs)]
    await tx.update(webhookEndpoints).set({ secrets: kept }).where(eq(webhookEndpoints.id, endpoint.id))
    await complete(tx, { endpoint, secret })
    return { endpoint, secret }
  })
}
