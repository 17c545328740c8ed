import type { Token } from 'kassa'
import type { SolanaToken } from 'kassa/chain'
import type { Chain } from 'viem'
import * as viemChains from 'viem/chains'

type CommonNetwork = {
  /** The service's name for the chain, such as `base-sepolia`. */
  name: string
  /** The chain's display name. */
  label: string
  rpcUrl: string
  /** The sandbox's explorer of its own chain: `<url>/tx/<hash>`. Undefined for a public chain. */
  explorerUrl: string | undefined
  nativeCurrency: string
}

/** An EVM chain the service sells on, with what a browser needs to reach it. */
export type EvmNetwork = CommonNetwork & {
  family: 'evm'
  chainId: number
  /** Tokens by currency, in lower case. */
  tokens: Readonly<Record<string, Token>>
}

/** The Solana cluster the service sells on, with what a browser needs to reach it. */
export type SolanaNetwork = CommonNetwork & {
  family: 'solana'
  /** The address of the service's operator, from which the account of every order follows. */
  operator: string | undefined
  /** Tokens by currency, in lower case. */
  tokens: Readonly<Record<string, SolanaToken>>
}

/** A chain the service sells on. */
export type Network = EvmNetwork | SolanaNetwork

/** The chains of one kind of address and wallet. */
export type ChainFamily = Network['family']

/** Returns a chain's family by the service's name for it. */
export const getFamily = (chain: string | undefined): ChainFamily => (chain === 'solana' ? 'solana' : 'evm')

/** Whether a network is an EVM chain. */
export const isEvm = (network: Network): network is EvmNetwork => network.family === 'evm'

/** Whether a network is a Solana cluster. */
export const isSolana = (network: Network): network is SolanaNetwork => network.family === 'solana'

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

// viem's own name for Sepolia does not mention Ethereum, and viem does not know Solana.
const labels: Readonly<Record<string, string>> = {
  'ethereum-sepolia': 'Ethereum Sepolia',
  solana: 'Solana',
}

/** Returns a chain's display name, or the service's name if there is none. */
export const getChainLabel = (name: string): string => labels[name] ?? chainsByName[name]?.name ?? name

/** Returns the block explorer's address for a transaction; undefined for a chain without one. */
export const getExplorerUrl = (
  networks: readonly Network[],
  chain: string,
  txId: string,
): string | undefined => {
  const own = networks.find(({ name }) => name === chain)?.explorerUrl
  const known =
    chain === 'solana' ? 'https://explorer.solana.com' : chainsByName[chain]?.blockExplorers?.default.url
  const explorer = own ?? known
  return explorer && `${explorer.replace(/\/$/, '')}/tx/${txId}`
}
