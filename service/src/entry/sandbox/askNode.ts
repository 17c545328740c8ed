import { ServiceError } from '#base/errors.js'

/**
 * Sends JSON-RPC requests to a local node and returns its answer as it is.
 *
 * @throws ServiceError `chain-unavailable` when the node does not answer.
 */
export const askNode = async (rpcUrl: string, body: unknown): Promise<unknown> => {
  try {
    const response = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(20_000),
    })
    return await response.json()
  } catch (cause) {
    throw new ServiceError(
      'chain-unavailable',
      'The local chain does not answer: try again in a few minutes',
      {
        cause,
        retryAfterSeconds: 2,
      },
    )
  }
}
