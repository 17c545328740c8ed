import { type RpcTransport, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, SolanaError } from '@solana/kit'
import { parseJsonWithBigInts, stringifyJsonWithBigInts } from '@solana/rpc-spec-types'
import { assertAnswer, NodeFailureError } from './withNode.js'

/** How long a node may take to answer. */
const timeoutMs = 10_000

/** Reads an answer. Amounts are 64-bit integers, which do not fit a number. */
const parseAnswer = (text: string): unknown => {
  try {
    return parseJsonWithBigInts(text)
  } catch {
    throw new NodeFailureError('away', 'the answer is no JSON')
  }
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
    const answer = parseAnswer(await response.text())
    assertAnswer(payload, answer)
    return answer as never
  }
