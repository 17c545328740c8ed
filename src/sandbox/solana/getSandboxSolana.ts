import type { SolanaParameters } from '../../solana/createSolana.js'
import { openSandboxSolana } from './openSandboxSolana.js'

/** Parameters of {@link getSandboxSolana}. */
export type GetSandboxSolanaParameters = {
  /** The service's address as `createClient` takes it, ending in `/api`. It must be a sandbox. */
  baseUrl: string
}

/**
 * Gets the parameters of `solana` for a sandbox's cluster. Use it in development only: in production an app contains
 * the operator's address from `kassa-service contracts`, so that an attacker who answers in the service's place
 * cannot change it.
 *
 * @throws RpcError when the service is no sandbox, has no Solana, or does not answer.
 * @example
 * ```ts
 * import { getSandboxSolana } from 'kassa/sandbox'
 * import { solana } from 'kassa/solana'
 *
 * export const onSolana = solana(await getSandboxSolana({ baseUrl: 'http://localhost:4000/api' }))
 * ```
 */
export const getSandboxSolana = async ({
  baseUrl,
}: GetSandboxSolanaParameters): Promise<SolanaParameters> => {
  const { rpcUrl, operator, tokens } = await openSandboxSolana(baseUrl)
  return { rpcUrl, cluster: 'localnet', operator, tokens }
}
