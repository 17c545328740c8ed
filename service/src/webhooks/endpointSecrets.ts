import type { webhookEndpoints } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import { endpointContext } from '../wallets/vault.js'

type Endpoint = Pick<typeof webhookEndpoints.$inferSelect, 'id' | 'secrets'>

/** What it takes to make and open the secrets of endpoints. */
export type SecretDeps = Pick<Deps, 'db' | 'now' | 'randomBytes' | 'vault'>

/** A signing secret that counts now, and until when, if it was replaced. */
export type EndpointSecret = { secret: string; expiresAt?: string }

/** Makes a signing secret of 256 random bits, and the form in which it is kept for its endpoint. */
export const createSecret = async (
  { vault, randomBytes }: Pick<SecretDeps, 'vault' | 'randomBytes'>,
  endpointId: string,
): Promise<{ secret: string; encrypted: string }> => {
  const secret = `whsec_${Buffer.from(randomBytes(32)).toString('base64')}`
  return { secret, encrypted: await vault.encrypt(Buffer.from(secret), endpointContext(endpointId)) }
}

/** Those secrets of an endpoint, as they are kept, that count at a moment. */
export const keepValid = (secrets: Endpoint['secrets'], nowMs: number): Endpoint['secrets'] =>
  secrets.filter(({ expiresAt }) => expiresAt === undefined || Date.parse(expiresAt) > nowMs)

/** Decrypts the secrets of an endpoint that count at a moment, newest first. */
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
