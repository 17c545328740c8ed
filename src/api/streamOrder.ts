import { apiError } from '../errors/apiError.js'
import { isKassaError } from '../errors/KassaError.js'
import type { Order } from '../schema/index.js'
import { streamOrder as operation } from '../schema/operations.js'
import type { Client } from './client.js'
import { longestSilenceMs, readEventStream } from './eventStream.js'
import { fillPath } from './fillPath.js'
import { orderAnswer } from './getOrder.js'
import { type CallParameters, readJson, readRefusal, writeHeaders } from './request.js'

/** Parameters of {@link streamOrder}. */
export type StreamOrderParameters = CallParameters & {
  orderId: string
  /** Called with the order as it is now, and after every change; `eventId` is the ETag of that state. */
  onOrder: (order: Order, eventId: string) => void
  /** The id of the last event. The same state is not sent again. */
  lastEventId?: string | undefined
}

/**
 * Follows an order over one connection. The service may end it at any time: connect again with the id of the last
 * event. `useOrder` does so, and polls where no stream can be opened.
 *
 * @returns How long the service asks to wait before the next connection, in milliseconds, once it has ended the stream.
 * @throws {@link KassaError} `api.not-found`, `api.rate-limited`, `api.unreachable`, `api.timeout` after 40 seconds of
 * silence, `api.invalid-answer` if the answer is no stream, …
 * @example
 * ```ts
 * import { type Client, streamOrder } from 'kassa/api'
 *
 * export const logPhases = (client: Client, orderId: string) =>
 *   streamOrder(client, { orderId, onOrder: ({ phase }) => console.log(phase) })
 * ```
 */
export const streamOrder = async (
  client: Client,
  { orderId, clientSecret, signal, onOrder, lastEventId }: StreamOrderParameters,
): Promise<{ retryMs: number }> => {
  const url = `${client.baseUrl}${fillPath(operation.path, { orderId })}`
  const invalid = (issues: string) => apiError('api.invalid-answer', { url, issues })
  const read = orderAnswer(orderId)
  let retryMs = 1_000
  try {
    const end = await readEventStream({
      open: (signal) =>
        client.fetch(url, {
          headers: {
            ...writeHeaders(client, { clientSecret }),
            accept: 'text/event-stream',
            ...(lastEventId && { 'last-event-id': lastEventId }),
          },
          signal,
        }),
      signal,
      timeoutMs: client.timeoutMs,
      onAlive: (askedMs) => {
        retryMs = askedMs ?? retryMs
      },
      onEvent: ({ id, event, data }) => {
        if (event !== 'order') return
        const answer = read(readJson(data))
        if (answer.fault !== undefined) throw invalid(answer.fault)
        onOrder(answer.data, id)
      },
    })
    if (end.status === 'refused') {
      if (end.response.ok) throw invalid('not an event stream')
      throw readRefusal(end.response, readJson(await end.response.text()))
    }
    if (end.status === 'silent') throw apiError('api.timeout', { url, timeoutMs: longestSilenceMs })
    return { retryMs }
  } catch (cause) {
    if (signal?.aborted) throw signal.reason
    throw isKassaError(cause) ? cause : apiError('api.unreachable', { url }, { cause })
  }
}
