import { openStorage } from 'kassa/chain'
import { sandboxChain, sandboxWallet } from 'kassa/sandbox'
import type { Chain } from 'viem'
import * as viemChains from 'viem/chains'
import { type Config, createConfig, createStorage, custom, fallback, http } from 'wagmi'
import { getConnection } from 'wagmi/actions'
import type { OpenedLink } from './link.js'

/** Each chain's settings for wallets, by the interface's name for it. */
const chainsByName: Readonly<Record<string, Chain>> = {
  arbitrum: viemChains.arbitrum,
  'arbitrum-sepolia': viemChains.arbitrumSepolia,
  avalanche: viemChains.avalanche,
  'avalanche-fuji': viemChains.avalancheFuji,
  base: viemChains.base,
  'base-sepolia': viemChains.baseSepolia,
  bsc: viemChains.bsc,
  chiliz: viemChains.chiliz,
  'chiliz-spicy-testnet': viemChains.spicy,
  ethereum: viemChains.mainnet,
  'ethereum-sepolia': viemChains.sepolia,
  optimism: viemChains.optimism,
  'optimism-sepolia': viemChains.optimismSepolia,
  polygon: viemChains.polygon,
  'polygon-amoy': viemChains.polygonAmoy,
  shape: viemChains.shape,
  'shape-sepolia': viemChains.shapeSepolia,
  'skale-nebula': viemChains.skaleNebula,
  'skale-nebula-testnet': viemChains.skaleNebulaTestnet,
  'soneium-minato-testnet': viemChains.soneiumMinato,
  xai: viemChains.xai,
  'xai-sepolia-testnet': viemChains.xaiTestnet,
  zora: viemChains.zora,
  'zora-sepolia': viemChains.zoraSepolia,
}

/** The service's address as `createClient` takes it. */
export const baseUrl = `${location.origin}/api`

/** EIP-1193's code of a provider that is not connected to the requested chain. */
const otherChain = 4901

/**
 * Reads a chain through the buyer's own wallet: the page's policy lets it call the service alone, and the service gives
 * its nodes to no page.
 */
const throughWallet = (config: () => Config, chainId: number) =>
  custom({
    request: async (call: { method: string; params?: unknown }) => {
      const { connector, chainId: connected } = getConnection(config())
      if (!connector || connected !== chainId) {
        throw Object.assign(new Error('The wallet is not connected to this chain.'), { code: otherChain })
      }
      const provider = (await connector.getProvider()) as { request(call: unknown): Promise<unknown> }
      return provider.request(call)
    },
  })

const isChain = (chain: Chain | undefined): chain is Chain => chain !== undefined

/** Creates wagmi's configuration for the chains of a service. Only the sandbox has a node for browsers. */
export const createNetworks = ({ chains: names, isSandbox }: OpenedLink): Config => {
  const known = names.map((name) => chainsByName[name]).filter(isChain)
  const [first = viemChains.mainnet, ...others] = isSandbox
    ? known.map((chain) => sandboxChain(chain, { baseUrl }))
    : known
  const all = [first, ...others] as const
  const config: Config = createConfig({
    chains: all,
    connectors: isSandbox ? [sandboxWallet({ baseUrl })] : [],
    storage: createStorage({ storage: openStorage() }),
    transports: Object.fromEntries(
      all.map(({ id }) => {
        const wallet = throughWallet(() => config, id)
        return [id, isSandbox ? fallback([wallet, http()]) : wallet]
      }),
    ),
  })
  return config
}
