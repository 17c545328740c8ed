import { numberToHex } from 'viem'
import type { Config, Connector } from 'wagmi'

type Provider = { request(call: { method: string; params: unknown[] }): Promise<unknown> }

const isProvider = (value: unknown): value is Provider =>
  typeof value === 'object' && value !== null && 'request' in value && typeof value.request === 'function'

/**
 * Adds a chain that a wallet does not know, as the app's wagmi configuration describes it.
 *
 * @source EIP-3085
 */
export const addChain = async (config: Config, connector: Connector, chainId: number): Promise<void> => {
  const chain = config.chains.find(({ id }) => id === chainId)
  const provider = await connector.getProvider()
  if (!chain || !isProvider(provider)) return
  const explorerUrl = chain.blockExplorers?.default.url
  await provider.request({
    method: 'wallet_addEthereumChain',
    params: [
      {
        chainId: numberToHex(chainId),
        chainName: chain.name,
        nativeCurrency: chain.nativeCurrency,
        rpcUrls: chain.rpcUrls.default.http,
        ...(explorerUrl && { blockExplorerUrls: [explorerUrl] }),
      },
    ],
  })
}
