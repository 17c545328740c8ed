import { createPublicClient, http, isAddress, parseEther } from 'viem'
import type { Network } from './networks'

// Enough for any edition of this shop and the network fee.
const enoughWei = parseEther('0.5')

/**
 * Requests test funds from the sandbox.
 *
 * @param chain - The chain by the service's name.
 * @throws Error when the sandbox refuses or does not answer.
 */
export const requestTestFunds = async (sandboxUrl: string, chain: string, address: string): Promise<void> => {
  const response = await fetch(`${sandboxUrl}/fund`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ chain, address }),
    signal: AbortSignal.timeout(20_000),
  })
  if (!response.ok) throw new Error(`The sandbox answered ${response.status}.`)
}

/** Requests test funds if an account holds too little of a network's native currency to pay. */
export const topUp = async (sandboxUrl: string, network: Network, address: string): Promise<void> => {
  if (!isAddress(address)) return
  const client = createPublicClient({ transport: http(network.rpcUrl, { retryCount: 1, timeout: 5_000 }) })
  const balanceWei = await client.getBalance({ address })
  if (balanceWei < enoughWei) await requestTestFunds(sandboxUrl, network.name, address)
}
