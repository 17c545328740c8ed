import type { RpcTransport } from '@solana/kit'
import type { ClusterCheck } from './clusterCheck.js'

/** A request of JSON-RPC. */
export type Call = { method: string; params: readonly unknown[] }

/**
 * Asks one node for several results.
 *
 * @returns the results in the order of the calls, or `undefined` if the node does not answer all of them.
 */
export type AskTogether = (calls: readonly Call[]) => Promise<readonly unknown[] | undefined>

const listResults = (answer: unknown, count: number): readonly unknown[] | undefined => {
  if (!Array.isArray(answer)) return undefined
  const results = new Map(
    answer.map((each: { id?: unknown; result?: unknown }) => [String(each.id), each.result]),
  )
  const inOrder = Array.from({ length: count }, (_, id) => results.get(String(id)))
  return inOrder.includes(undefined) ? undefined : inOrder
}

/**
 * Creates the function that sends requests as one list, which a load balancer passes to one node. Some split lists, and
 * some nodes take none, so callers still compare the slots of the answers.
 *
 * @param check - Asserts the cluster of that node, in the same list.
 */
export const createAskTogether = (transport: RpcTransport, check: ClusterCheck | undefined): AskTogether => {
  const genesis: Call[] = check ? [{ method: 'getGenesisHash', params: [] }] : []
  return async (calls) => {
    const all = [...genesis, ...calls]
    const payload = all.map(({ method, params }, id) => ({ jsonrpc: '2.0', id: String(id), method, params }))
    const answer: unknown = await transport({ payload }).catch(() => undefined)
    const results = listResults(answer, all.length)
    if (!results) return undefined
    if (check) check.assert(String(results[0]))
    return results.slice(genesis.length)
  }
}
