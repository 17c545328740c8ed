import type { Token } from 'kassa'
import type { Chain } from 'viem'
import * as viemChains from 'viem/chains'

/** A chain the service sells on, with all a browser needs to reach it. */
export type Network = {
  /** The chain by the service's name, such as `base-sepolia`. */
  name: string
  /** The chain's name for people. */
  label: string
  chainId: number
  rpcUrl: string
  nativeCurrency: string
  /** Tokens by currency, in lower case. */
  tokens: Readonly<Record<string, Token>>
}

/** What wallets and viem know of each chain, by the service's name for it. */
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

// viem's name is short for those who know that it is Ethereum's.
const labels: Readonly<Record<string, string>> = { 'ethereum-sepolia': 'Ethereum Sepolia' }

/** A chain's name for people; the service's own name where there is no better one. */
export const getChainLabel = (name: string): string => labels[name] ?? chainsByName[name]?.name ?? name

/** Where people look at a transaction; undefined where a chain has no such place. */
export const getExplorerUrl = (chain: string, txId: string): string | undefined => {
  const explorer = chainsByName[chain]?.blockExplorers?.default.url
  return explorer && `${explorer.replace(/\/$/, '')}/tx/${txId}`
}
