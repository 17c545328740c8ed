import { openStorage } from 'kassa/chain'
import type { Chain } from 'viem'
import { type Config, type CreateConnectorFn, createConfig, createStorage, http } from 'wagmi'
import { walletConnect } from 'wagmi/connectors/walletConnect'
import { lazyConnector } from './lazyConnector'
import { chainsByName, type EvmNetwork } from './networks'

const toChain = ({ name, rpcUrl, explorerUrl, chainId }: EvmNetwork): Chain[] => {
  const chain = chainsByName[name]
  if (!chain || chain.id !== chainId) return []
  const explorer = explorerUrl && { blockExplorers: { default: { name: 'Sandbox', url: explorerUrl } } }
  return [{ ...chain, rpcUrls: { default: { http: [rpcUrl] } }, ...explorer }]
}

/** Lists the connectors beside the wallets of the browser: WalletConnect, where the shop has a project there. */
export const listConnectors = (projectId: string | undefined): CreateConnectorFn[] =>
  projectId ? [lazyConnector(walletConnect({ projectId }))] : []

/**
 * Creates wagmi's configuration for the networks the service sells on. wagmi discovers browser wallets
 * automatically (EIP-6963).
 *
 * @returns Undefined when the service names no network this shop knows.
 */
export const createWagmiConfig = (
  networks: readonly EvmNetwork[],
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
    // By itself, wagmi throws in a browser that forbids storage.
    storage: createStorage({ storage: openStorage() }),
    transports: Object.fromEntries(
      chains.map(({ id, rpcUrls }) => [
        id,
        http(rpcUrls.default.http[0], { retryCount: 1, timeout: 10_000 }),
      ]),
    ),
  })
}
