import { type Chain, defineChain } from 'viem'
import { type EvmChainName, evmChains, explorerUrls } from '../../schema/chains.js'

/** A chain of the interface as wagmi wants to have it. */
export const toChain = (name: EvmChainName): Chain => {
  const { chainId, nativeCurrency, isTestnet } = evmChains[name]
  const symbol = nativeCurrency.toUpperCase()
  return defineChain({
    id: chainId,
    name,
    nativeCurrency: { name: symbol, symbol, decimals: 18 },
    rpcUrls: { default: { http: [`https://kassa.test/rpc/${name}`] } },
    blockExplorers: { default: { name: 'Explorer', url: explorerUrls[name] } },
    testnet: isTestnet,
  })
}
