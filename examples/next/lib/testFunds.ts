import type { Amount } from 'kassa'
import { isAddress, parseUnits } from 'viem'
import { callNode } from './callNode'
import type { Network } from './networks'
import { isRecord } from './read'

// Enough for any edition of this shop and the network fee.
const enough = { evm: parseUnits('0.5', 18), solana: parseUnits('1', 9) }

// A local chain starts with its first call, which takes a busy machine longer than any later one.
const startMs = 60_000

/**
 * Requests test funds from the sandbox.
 *
 * @throws Error when the sandbox refuses or does not answer.
 */
export const requestTestFunds = async (
  sandboxUrl: string,
  wanted: {
    /** The chain by the service's name. */
    chain: string
    address: string
    /** What the account needs, if that may be more than the sandbox gives. */
    least?: Amount | undefined
  },
): Promise<void> => {
  const response = await fetch(`${sandboxUrl}/fund`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(wanted),
    signal: AbortSignal.timeout(startMs),
  })
  if (!response.ok) throw new Error(`The sandbox answered ${response.status}.`)
}

/** Returns an account's balance of a network's native currency, in base units; undefined for no account of it. */
const readBalance = async ({ family, rpcUrl }: Network, address: string): Promise<bigint | undefined> => {
  if (family === 'solana') {
    const answer = await callNode(rpcUrl, 'getBalance', [address, { commitment: 'confirmed' }], startMs)
    return BigInt(isRecord(answer) ? Number(answer.value) : 0)
  }
  if (!isAddress(address)) return undefined
  const answer = await callNode(rpcUrl, 'eth_getBalance', [address, 'latest'], startMs)
  return typeof answer === 'string' ? BigInt(answer) : undefined
}

/** Requests test funds if an account holds too little of a network's native currency to pay. */
export const topUp = async (sandboxUrl: string, network: Network, address: string): Promise<void> => {
  const balance = await readBalance(network, address)
  if (balance !== undefined && balance < enough[network.family]) {
    await requestTestFunds(sandboxUrl, { chain: network.name, address })
  }
}
