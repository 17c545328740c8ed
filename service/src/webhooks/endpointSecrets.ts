import type { Config } from '../config.js'
import type { webhookEndpoints } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import { seal, unseal } from '../seal.js'

type Endpoint = Pick<typeof webhookEndpoints.$inferSelect, 'id' | 'secrets'>

/** What it takes to make and open the secrets of endpoints: of the settings only the key they are kept under. */
export type SecretDeps = Pick<Deps, 'db' | 'now' | 'randomBytes'> & { config: Pick<Config, 'masterKey'> }

/** A signing secret that counts now, and until when, if it was replaced. */
export type EndpointSecret = { secret: string; expiresAt?: string }

const contextOf = (endpointId: string): string => `webhook-endpoint:${endpointId}`

/** Makes a signing secret of 256 random bits, and the form in which it is kept for its endpoint. */
export const createSecret = (
  { config, randomBytes }: Pick<SecretDeps, 'config' | 'randomBytes'>,
  endpointId: string,
): { secret: string; encrypted: string } => {
  const secret = `whsec_${Buffer.from(randomBytes(32)).toString('base64')}`
  const sealed = seal(Buffer.from(secret), config.masterKey, contextOf(endpointId), randomBytes)
  return { secret, encrypted: Buffer.from(sealed).toString('base64') }
}

/** Those secrets of an endpoint, as they are kept, that count at a moment. */
export const keepValid = (secrets: Endpoint['secrets'], nowMs: number): Endpoint['secrets'] =>
  secrets.filter(({ expiresAt }) => expiresAt === undefined || Date.parse(expiresAt) > nowMs)

/** Decrypts the secrets of an endpoint that count at a moment, newest first. */
export const openSecrets = (
  { masterKey }: Pick<Config, 'masterKey'>,
  { id, secrets }: Endpoint,
  nowMs: number,
): EndpointSecret[] =>
  keepValid(secrets, nowMs).map(({ encrypted, expiresAt }) => {
    const secret = Buffer.from(unseal(Buffer.from(encrypted, 'base64'), masterKey, contextOf(id))).toString()
    return { secret, ...(expiresAt !== undefined && { expiresAt }) }
  })
