import type { PaymentRules } from '../../chain/index.js'
import { openSandbox } from './openSandbox.js'

/** Parameters of {@link getSandboxRules}. */
export type GetSandboxRulesParameters = {
  /** The service's address as `createClient` takes it, ending in `/api`. It must be a sandbox. */
  baseUrl: string
}

/**
 * Gets a sandbox's payment contracts and tokens for the provider. Use it in development only: in production
 * an app contains the output of `kassa-service contracts`, so that an attacker who answers in the service's
 * place cannot change it.
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
