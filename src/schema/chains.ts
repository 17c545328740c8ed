/** The permanent facts of an EVM chain: its id and its native currency. */
export type EvmChain = {
  readonly chainId: number
  readonly nativeCurrency: string
  readonly isTestnet: boolean
}

const main = (chainId: number, nativeCurrency = 'eth'): EvmChain => ({
  chainId,
  nativeCurrency,
  isTestnet: false,
})
const test = (chainId: number, nativeCurrency = 'eth'): EvmChain => ({
  chainId,
  nativeCurrency,
  isTestnet: true,
})

/**
 * The EVM chains of the interface by the names it gives them. Native currencies have 18 decimals on all of them.
 *
 * @source interface.md "Collection chains", "Wallet transaction", "Fund wallet"
 */
export const evmChains = {
  arbitrum: main(42161),
  'arbitrum-sepolia': test(421614),
  avalanche: main(43114, 'avax'),
  'avalanche-fuji': test(43113, 'avax'),
  base: main(8453),
  'base-sepolia': test(84532),
  bsc: main(56, 'bnb'),
  chiliz: main(88888, 'chz'),
  'chiliz-spicy-testnet': test(88882, 'chz'),
  ethereum: main(1),
  'ethereum-sepolia': test(11155111),
  mode: main(34443),
  'mode-sepolia': test(919),
  optimism: main(10),
  'optimism-sepolia': test(11155420),
  polygon: main(137, 'pol'),
  'polygon-amoy': test(80002, 'pol'),
  'sei-atlantic-2-testnet': test(1328, 'sei'),
  shape: main(360),
  'shape-sepolia': test(11011),
  'skale-nebula': main(1482601649, 'sfuel'),
  'skale-nebula-testnet': test(37084624, 'sfuel'),
  'soneium-minato-testnet': test(1946),
  story: main(1514, 'ip'),
  'story-testnet': test(1315, 'ip'),
  'viction-testnet': test(89, 'vic'),
  xai: main(660279, 'xai'),
  'xai-sepolia-testnet': test(37714555429, 'xai'),
  zora: main(7777777),
  'zora-sepolia': test(999999999),
} as const satisfies Record<string, EvmChain>

/** The name of an EVM chain in the interface. */
export type EvmChainName = keyof typeof evmChains

/** The block explorer of each EVM chain: `<url>/tx/<hash>`, `<url>/address/<address>`. */
export const explorerUrls = {
  arbitrum: 'https://arbiscan.io',
  'arbitrum-sepolia': 'https://sepolia.arbiscan.io',
  avalanche: 'https://snowtrace.io',
  'avalanche-fuji': 'https://testnet.snowtrace.io',
  base: 'https://basescan.org',
  'base-sepolia': 'https://sepolia.basescan.org',
  bsc: 'https://bscscan.com',
  chiliz: 'https://scan.chiliz.com',
  'chiliz-spicy-testnet': 'http://spicy-explorer.chiliz.com',
  ethereum: 'https://etherscan.io',
  'ethereum-sepolia': 'https://sepolia.etherscan.io',
  mode: 'https://modescan.io',
  'mode-sepolia': 'https://sepolia.explorer.mode.network',
  optimism: 'https://optimistic.etherscan.io',
  'optimism-sepolia': 'https://optimism-sepolia.blockscout.com',
  polygon: 'https://polygonscan.com',
  'polygon-amoy': 'https://amoy.polygonscan.com',
  'sei-atlantic-2-testnet': 'https://testnet.seiscan.io',
  shape: 'https://shapescan.xyz',
  'shape-sepolia': 'https://explorer-sepolia.shape.network',
  'skale-nebula': 'https://green-giddy-denebola.explorer.mainnet.skalenodes.com',
  'skale-nebula-testnet': 'https://lanky-ill-funny-testnet.explorer.testnet.skalenodes.com',
  'soneium-minato-testnet': 'https://soneium-minato.blockscout.com',
  story: 'https://datanetscan.io',
  'story-testnet': 'https://aeneid.datanetscan.io',
  'viction-testnet': 'https://testnet.vicscan.xyz',
  xai: 'https://explorer.xai-chain.net',
  'xai-sepolia-testnet': 'https://testnet-explorer-v2.xai-chain.net',
  zora: 'https://explorer.zora.energy',
  'zora-sepolia': 'https://sepolia.explorer.zora.energy',
} as const satisfies Record<EvmChainName, string>

/** Whether a chain name is one of the interface's EVM chains. */
export const isEvmChainName = (name: string): name is EvmChainName => Object.hasOwn(evmChains, name)

/** A chain that orders are paid on, by the interface's name. */
export type PaymentMethod = EvmChainName | 'solana'

/** The currencies that orders are paid in most. A service may take others. */
export type KnownCurrency = 'eth' | 'usdc' | 'sol' | 'pol' | 'bnb' | 'avax'

/** The families of the interface's chains. Chains of one family share the form of addresses and wallets. */
export type ChainFamily = 'evm' | 'aptos' | 'solana'

/** Returns the family of one of the interface's chains. */
export const chainFamilyOf = (name: string): ChainFamily | undefined =>
  isEvmChainName(name) ? 'evm' : name === 'aptos' || name === 'solana' ? name : undefined

/** A value for each family of chains on which orders are paid. A new family needs a value in each of these tables. */
export type PerFamily<Value> = Readonly<Record<'evm' | 'solana', Value>>

/**
 * Chooses the value of the family that a payment method is of. A method that this package does not know counts as an
 * EVM chain, which the app may have configured.
 *
 * @param method - The chain by the interface's name.
 */
export const ofFamily = <Value>(values: PerFamily<Value>, method: string | undefined): Value =>
  method === 'solana' ? values.solana : values.evm

/** Returns the native currency of one of the interface's EVM chains, or of Solana. */
export const nativeCurrencyOf = (name: string): string | undefined => {
  if (isEvmChainName(name)) return evmChains[name].nativeCurrency
  return name === 'solana' ? 'sol' : undefined
}

/** Chains that have wallets but no collections. */
const walletsOnly = [
  'mode',
  'mode-sepolia',
  'sei-atlantic-2-testnet',
  'story',
  'story-testnet',
  'viction-testnet',
] as const

/** The name of an EVM chain a collection can live on. */
export type EvmCollectionChain = Exclude<EvmChainName, (typeof walletsOnly)[number]>

const isForCollections = (name: string): name is EvmCollectionChain =>
  isEvmChainName(name) && !walletsOnly.some((other) => other === name)

const listCollectionChains = () =>
  [...Object.keys(evmChains).filter(isForCollections), 'aptos', 'solana'] as const

/** Every chain a collection can live on, EVM or not. */
export const collectionChains = /* @__PURE__ */ listCollectionChains()
/** The name of a chain a collection can live on. */
export type CollectionChain = EvmCollectionChain | 'aptos' | 'solana'
