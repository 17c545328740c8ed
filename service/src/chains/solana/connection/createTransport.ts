import { type RpcTransport, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, SolanaError } from '@solana/kit'
import { parseJsonWithBigInts, stringifyJsonWithBigInts } from '@solana/rpc-spec-types'

/** How long a node may take to answer. */
const timeoutMs = 10_000

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
    // Amounts are 64-bit integers, which do not fit a number.
    return parseJsonWithBigInts(await response.text()) as never
  }
