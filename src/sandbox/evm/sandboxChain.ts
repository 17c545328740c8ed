import type { Chain } from 'viem'
import { RpcError } from '../../chain/evm/rpcError.js'
import { evmChains } from '../../schema/chains.js'

/** Parameters of {@link sandboxChain}. */
export type SandboxChainParameters = {
  /** The service's address as `createClient` takes it, ending in `/api`. */
  baseUrl: string
}

/**
 * Turns one of viem's chains into the sandbox's: reached through the service, with the sandbox's own explorer, and
 * without the multicall contract that wagmi batches reads with, which a local chain lacks.
 *
 * @param chain - One that the sandbox has, by its real id, such as `baseSepolia` of `viem/chains`.
 * @throws RpcError when it is no chain of the interface.
 * @example
 * ```ts
 * import { sandboxChain, sandboxWallet } from 'kassa/sandbox'
 * import { baseSepolia } from 'viem/chains'
 * import { createConfig, http } from 'wagmi'
 *
 * const baseUrl = 'http://localhost:4000/api'
 * const chain = sandboxChain(baseSepolia, { baseUrl })
 *
 * export const config = createConfig({
 *   chains: [chain],
 *   connectors: [sandboxWallet({ baseUrl })],
 *   transports: { [chain.id]: http() },
 * })
 * ```
 */
export const sandboxChain = (chain: Chain, { baseUrl }: SandboxChainParameters): Chain => {
  const name = Object.entries(evmChains).find(([, { chainId }]) => chainId === chain.id)?.[0]
  // EIP-1193's code for an unknown chain.
  if (!name) throw new RpcError(4902, `${chain.name} is not a chain that orders can be paid on.`)
  const { contracts: _contracts, ...own } = chain
  const origin = baseUrl.replace(/\/(api\/?)?$/, '')
  return {
    ...own,
    blockExplorers: { default: { name: 'Sandbox', url: `${origin}/sandbox/explorer/${name}` } },
    rpcUrls: { default: { http: [`${origin}/rpc/${name}`] } },
  }
}
