import type { Token } from 'kassa'
import type { Chain } from 'viem'
import * as viemChains from 'viem/chains'

/** A chain the service sells on, with what a browser needs to reach it. */
export type Network = {
  /** The service's name for the chain, such as `base-sepolia`. */
  name: string
  /** The chain's display name. */
  label: string
  chainId: number
  rpcUrl: string
  nativeCurrency: string
  /** Tokens by currency, in lower case. */
  tokens: Readonly<Record<string, Token>>
}

/** Each chain's settings for wallets and viem, by the service's name for it. */
export const chainsByName: Readonly<Record<string, Chain>> = {
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

// viem's own name for this chain does not mention Ethereum.
const labels: Readonly<Record<string, string>> = { 'ethereum-sepolia': 'Ethereum Sepolia' }

/** Returns a chain's display name, or the service's name if there is none. */
export const getChainLabel = (name: string): string => labels[name] ?? chainsByName[name]?.name ?? name

/** Returns the block explorer's address for a transaction; undefined for a chain without one. */
export const getExplorerUrl = (chain: string, txId: string): string | undefined => {
  const explorer = chainsByName[chain]?.blockExplorers?.default.url
  return explorer && `${explorer.replace(/\/$/, '')}/tx/${txId}`
}
