import type { PaymentRules } from '../chain/index.js'
import { openSandbox } from './openSandbox.js'

/** Parameters of {@link getSandboxRules}. */
export type GetSandboxRulesParameters = {
  /** The service, as `createClient` takes it: ends in `/api`. It must be a sandbox. */
  baseUrl: string
}

/**
 * Asks a sandbox where it takes payments and in which tokens, for the provider. For development: in production an app
 * holds the answer of `kassa-service contracts` itself, so that nobody who speaks in the service's place can change it.
 *
 * @throws RpcError when the service is no sandbox, or does not answer.
 * @example
 * ```ts
 * import { getSandboxRules } from 'kassa/sandbox'
 *
 * const { contracts, tokens } = await getSandboxRules({ baseUrl: 'http://localhost:4000/api' })
 * ```
 */
export const getSandboxRules = async ({ baseUrl }: GetSandboxRulesParameters): Promise<PaymentRules> => {
  const chains = await openSandbox(baseUrl)
  return {
    contracts: chains[0]?.contracts,
    tokens: Object.fromEntries(chains.map(({ name, tokens }) => [name, tokens])),
  }
}
