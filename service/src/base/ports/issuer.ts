import type { Credential, TokenLocatorParts } from 'kassa/schema'

/** A token and its holder, as its chain shows them. */
export type Holding = {
  token: TokenLocatorParts
  /** The chain by its CAIP-2 id, such as `eip155:8453`. */
  caip2: string
  owner: string
  /** For subscriptions, in epoch seconds. */
  expiresAt: bigint | undefined
}

/** Issues credentials that this deployment signs. */
export type CredentialIssuer = {
  /** @param terms - `id` is a UUID. */
  issue(terms: { id: string; namespace: string; nowMs: number }, holding: Holding): Promise<Credential>
}
