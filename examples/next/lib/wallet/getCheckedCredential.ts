import type { Credential } from 'kassa/schema'
import type { CheckedCredential } from './verifyCredential'

/** A credential, and what this shop's server has found it to be. */
export type CredentialReport = { credential: Credential; checked: CheckedCredential }

/**
 * Asks this shop's server for the credential of a token.
 *
 * @param locator - `<chain>:<contractAddress>:<tokenId>`.
 * @throws Error when it has none to give.
 */
export const getCheckedCredential = async (
  locator: string,
  signal?: AbortSignal,
): Promise<CredentialReport> => {
  const response = await fetch(`/api/credentials/${encodeURIComponent(locator)}`, {
    ...(signal && { signal }),
    cache: 'no-store',
  })
  if (!response.ok) throw new Error(`The credential was answered with ${response.status}.`)
  // It comes from this shop's own server, which has parsed it.
  return (await response.json()) as CredentialReport
}
