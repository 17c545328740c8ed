import type { OpenChain } from '../openChain.js'
import type { SandboxChain } from '../sandbox/sandboxChain.js'

/** Where a deployment takes payments: its contracts on EVM chains, and its operator on Solana. */
type Rules = {
  contracts: { router: string; depositFactory: string }
  operator: string | undefined
}

/**
 * Starts the chain with its contracts before a browser sees it: the browser may read a token it is about to
 * receive.
 */
const toSandboxChain = (
  { port, node }: OpenChain,
  { contracts, operator = '' }: Rules,
): SandboxChain | undefined => {
  if (!node) return undefined
  const rpcUrl = async () => {
    await port.ready()
    return node.rpcUrl()
  }
  const { chain, family, chainId, currencies, parseAddress } = port
  const fund: SandboxChain['fund'] = async (address, least) => {
    await port.ready()
    await node.fund(address, least)
  }
  const rules = family === 'solana' ? { operator } : { chainId, contracts }
  return { chain, currencies, parseAddress, rpcUrl, fund, ...rules }
}

/** Returns the local chains, by name, as the sandbox offers them to browsers. */
export const toSandboxChains = (chains: Iterable<OpenChain>, rules: Rules): Map<string, SandboxChain> =>
  new Map(
    [...chains].flatMap((chain) => {
      const local = toSandboxChain(chain, rules)
      return local ? [[local.chain, local] as const] : []
    }),
  )
