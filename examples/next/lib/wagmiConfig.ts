import type { Chain } from 'viem'
import { type Config, type CreateConnectorFn, createConfig, http } from 'wagmi'
import { chainsByName, type Network } from './networks'

const toChain = ({ name, rpcUrl, chainId }: Network): Chain[] => {
  const chain = chainsByName[name]
  if (!chain || chain.id !== chainId) return []
  return [{ ...chain, rpcUrls: { default: { http: [rpcUrl] } } }]
}

/**
 * Creates wagmi's configuration for the networks the service sells on. wagmi discovers browser wallets
 * automatically (EIP-6963).
 *
 * @returns Undefined when the service names no network this shop knows.
 */
export const createWagmiConfig = (
  networks: readonly Network[],
  connectors: CreateConnectorFn[],
): Config | undefined => {
  const [first, ...others] = networks.flatMap(toChain)
  if (!first) return undefined
  const chains = [first, ...others] as const
  return createConfig({
    chains,
    connectors,
    multiInjectedProviderDiscovery: true,
    pollingInterval: 1_000,
    // A sandbox's networks lack the public multicall contract.
    batch: { multicall: false },
    ssr: true,
    transports: Object.fromEntries(
      chains.map(({ id, rpcUrls }) => [
        id,
        http(rpcUrls.default.http[0], { retryCount: 1, timeout: 10_000 }),
      ]),
    ),
  })
}
