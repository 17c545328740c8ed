import { type RpcTransport, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, SolanaError } from '@solana/kit'
import { parseJsonWithBigInts, stringifyJsonWithBigInts } from '@solana/rpc-spec-types'
import { classifyWords, type NodeFailure } from '../../../lib/nodeFailure.js'
import { NodeFailureError } from './withNode.js'

/** How long a node may take to answer. */
const timeoutMs = 10_000

type RpcError = { code: number | bigint; message: string }

/** What a transaction failed with before it was sent: its words are those of programs. */
const simulationFailed = -32002
const unhealthy = -32005

/**
 * Says what an error in an answer tells of the node. Providers use codes of their own, and some that mean something
 * else on Solana: -32005 of a node that is behind, -32007 of a slot that was skipped, -32016 of a slot not reached.
 */
const classifyAnswer = (code: number, message: string): NodeFailure | undefined => {
  if (code === 429) return 'limited'
  if (code === simulationFailed) return undefined
  const isLimit = code === unhealthy && !/unhealthy|behind/i.test(message)
  return classifyWords(message) ?? (isLimit ? 'limited' : undefined)
}

/** Whether a code is one of JSON-RPC or of Solana, which `@solana/kit` knows. It fails at all others. */
const isKnownCode = (code: number): boolean =>
  code === -32700 || (code >= -32603 && code <= -32600) || (code >= -32021 && code <= -32001)

/** @throws {@link NodeFailureError}, or an Error with the message of a code that `@solana/kit` does not know. */
const assertKnown = ({ code: given, message }: RpcError): void => {
  const code = Number(given)
  const failure = classifyAnswer(code, message)
  if (failure) throw new NodeFailureError(failure, `${code}: ${message}`)
  if (!isKnownCode(code)) throw new Error(`the node answers with ${code}: ${message}`)
}

/**
 * Sends requests to a node. The transport of `@solana/kit` 6 states the length of a body itself, and `undici` refuses
 * a request that states it twice.
 */
export const createTransport =
  (url: string): RpcTransport =>
  async ({ payload, signal }) => {
    const timeUp = AbortSignal.timeout(timeoutMs)
    const response = await fetch(url, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json; charset=utf-8' },
      body: stringifyJsonWithBigInts(payload),
      signal: signal ? AbortSignal.any([signal, timeUp]) : timeUp,
    })
    if (!response.ok) {
      const { headers, statusText: message, status: statusCode } = response
      throw new SolanaError(SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, { headers, message, statusCode })
    }
    // Amounts are 64-bit integers, which do not fit a number. The answer to a list of requests is a list.
    const answer = parseJsonWithBigInts(await response.text()) as { error?: RpcError }
    if (answer.error) assertKnown(answer.error)
    return answer as never
  }
