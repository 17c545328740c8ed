import { accountMethods } from './accountMethods.js'
import { blockMethods } from './blockMethods.js'
import type { Method, RpcWorld } from './method.js'
import { commitmentOf, readAddress, readConfig } from './readParams.js'
import { RpcError } from './rpcError.js'
import { tokenMethods } from './tokenMethods.js'
import { transactionMethods } from './transactionMethods.js'

const methods: Readonly<Record<string, Method>> = {
  getHealth: () => 'ok',
  getVersion: () => ({ 'solana-core': '3.0.0', 'feature-set': 0 }),
  getGenesisHash: ({ genesisHash }) => genesisHash,
  getRecentPrioritizationFees: ({ cluster }) => [{ slot: cluster.slotAt('processed'), prioritizationFee: 0 }],
  ...blockMethods,
  ...accountMethods,
  ...tokenMethods,
  ...transactionMethods,
  requestAirdrop: ({ airdrop }, [recipient, amount]) =>
    airdrop(readAddress(recipient), BigInt(Number(amount))),
}

/** The methods that refuse to answer from before the slot that a client names. */
const slotMethods: readonly string[] = [
  'getAccountInfo',
  'getBalance',
  'getMultipleAccounts',
  'getProgramAccounts',
  'getTokenAccountsByOwner',
  'getSlot',
  'getBlockHeight',
  'getTransactionCount',
  'getEpochInfo',
  'getSlotLeader',
  'getBlocks',
  'getBlocksWithLimit',
  'getLatestBlockhash',
  'isBlockhashValid',
  'getFeeForMessage',
  'getSignaturesForAddress',
  'simulateTransaction',
  'sendTransaction',
]

const assertContextSlot = ({ cluster }: RpcWorld, method: string, params: readonly unknown[]): void => {
  const given = params.at(-1)
  if (!slotMethods.includes(method) || typeof given !== 'object' || Array.isArray(given)) return
  const { minContextSlot, skipPreflight, preflightCommitment, ...config } = readConfig(given)
  if (minContextSlot === undefined) return
  const sent = skipPreflight ? 'processed' : (preflightCommitment ?? 'finalized')
  const { slot } = cluster.blockAt(method === 'sendTransaction' ? sent : commitmentOf(config))
  if (slot >= minContextSlot) return
  throw new RpcError(-32016, 'Minimum context slot has not been reached', { contextSlot: slot })
}

/**
 * Answers one method of Solana's JSON-RPC interface.
 *
 * @throws {RpcError} with the code of a node.
 */
export const answerRpc = async (world: RpcWorld, method: string, params: unknown): Promise<unknown> => {
  const answer = Object.hasOwn(methods, method) ? methods[method] : undefined
  if (!answer) throw new RpcError(-32601, `Method not found: ${method}`)
  const list: unknown[] = Array.isArray(params) ? params : []
  assertContextSlot(world, method, list)
  return answer(world, list)
}
