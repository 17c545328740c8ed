import { isRecord } from './read'

/** A node's answer that it did not do what it was asked to. */
export class NodeRefusal extends Error {
  override readonly name = 'NodeRefusal'
}

/**
 * Calls a method of a chain's node by JSON-RPC.
 *
 * @param timeoutMs - How long the node may take, in milliseconds.
 * @throws NodeRefusal when the node refuses, another Error when it does not answer.
 */
export const callNode = async (
  rpcUrl: string,
  method: string,
  params: unknown[],
  timeoutMs = 10_000,
): Promise<unknown> => {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(timeoutMs),
  })
  const answer: unknown = await response.json()
  if (!isRecord(answer)) throw new Error(`The node answered ${method} with something else.`)
  if (isRecord(answer.error)) throw new NodeRefusal(String(answer.error.message))
  return answer.result
}
