import { fundAddress } from '../chains/local/fundAddress.js'
import type { OpenChain } from '../openChain.js'
import type { SandboxChain } from '../sandbox/sandboxChain.js'

/**
 * Starts the chain with its contracts before a browser sees it: the browser may read a token it is about to
 * receive.
 */
const toSandboxChain = (
  { port, node }: OpenChain,
  contracts: SandboxChain['contracts'],
): SandboxChain | undefined => {
  if (!node) return undefined
  const rpcUrl = async () => {
    await port.ready()
    return node.rpcUrl()
  }
  const { chain, chainId, currencies } = port
  const fund = async (address: string) => fundAddress(await rpcUrl(), currencies, address)
  return { chain, chainId, currencies, contracts, rpcUrl, fund }
}

/** Returns the local chains, by name, as the sandbox offers them to browsers. */
export const toSandboxChains = (
  chains: Iterable<OpenChain>,
  contracts: SandboxChain['contracts'],
): Map<string, SandboxChain> =>
  new Map(
    [...chains].flatMap((chain) => {
      const local = toSandboxChain(chain, contracts)
      return local ? [[local.chain, local] as const] : []
    }),
  )
