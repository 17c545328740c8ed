import { apiError } from '../errors/apiError.js'
import { isKassaError } from '../errors/KassaError.js'
import { exportOrders as operation } from '../schema/operations.js'
import type { Client } from './client.js'
import type { OrderFilters } from './orders.js'
import { type KeyCallParameters, readJson, readRefusal, writeHeaders } from './request.js'

/** Parameters of {@link exportOrders}. */
export type ExportOrdersParameters = KeyCallParameters & OrderFilters

/**
 * Exports the orders of a shop as CSV, with the filters and the sorting of `listOrders`. The answer is read as it comes,
 * so an export of many orders takes little memory, and as long as it takes.
 *
 * @returns The bytes of the file: a row of titles, then a row for each order.
 * @throws {@link KassaError} `api.forbidden` without a server key that has `orders.read`, `api.bad-request` for a filter
 * that cannot be, `api.unreachable`, …
 * @example
 * ```ts
 * import { type Client, exportOrders } from 'kassa/api'
 *
 * export const exportSold = async (client: Client) =>
 *   new Response(await exportOrders(client, { phase: 'completed', sort: 'oldest' }), {
 *     headers: { 'content-type': 'text/csv' },
 *   })
 * ```
 */
export const exportOrders = async (
  client: Client,
  { signal, ...filters }: ExportOrdersParameters = {},
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> => {
  const query = new URLSearchParams(
    Object.entries(filters).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as [string, string]],
    ),
  )
  const url = `${client.baseUrl}${operation.path}${query.size ? `?${query}` : ''}`
  const headers = { ...writeHeaders(client, {}), accept: 'text/csv, application/json' }
  signal?.throwIfAborted()
  try {
    const response = await client.fetch(url, { headers, ...(signal && { signal }) })
    if (!response.ok) throw readRefusal(response, readJson(await response.text()))
    if (response.body && response.headers.get('content-type')?.startsWith('text/csv')) return response.body
    throw apiError('api.invalid-answer', { url, issues: 'not CSV' })
  } catch (cause) {
    if (signal?.aborted) throw signal.reason
    throw isKassaError(cause) ? cause : apiError('api.unreachable', { url }, { cause })
  }
}
