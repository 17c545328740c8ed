import { once } from 'node:events'
import { Agent, request } from 'node:http'
import process from 'node:process'

/**
 * Requests that are sent in turn, on as many connections, until the time is over.
 * @typedef {{
 *   url: string, method: string, body?: string, connections: number, lastMs: number, status: number,
 *   requests: { path: string, headers: Record<string, string> }[],
 * }} Load
 * @typedef {{ count: number, lastedMs: number, p50Ms: number, p99Ms: number }} Answered
 */

/** @type {Load} */
const { url, method, body, connections, lastMs, status, requests } = (await once(process, 'message'))[0]
const { hostname, port } = new URL(url)
const agent = new Agent({ keepAlive: true, maxSockets: connections })

/** @type {number[]} */
const times = []

/** @param {Load['requests'][number]} sent */
const send = ({ path, headers }) =>
  new Promise((resolve, reject) => {
    const startedAt = performance.now()
    const sent = request({ agent, hostname, port, method, path, headers }, (answer) => {
      if (answer.statusCode !== status) reject(new Error(`${method} ${path}: ${answer.statusCode}`))
      answer.resume()
      answer.on('end', () => resolve(times.push(performance.now() - startedAt)))
    })
    sent.on('error', reject)
    sent.end(body)
  })

let next = 0
const startedAt = performance.now()
const sendOn = async () => {
  while (performance.now() - startedAt < lastMs) await send(requests[next++ % requests.length] ?? fail())
}
const fail = () => {
  throw new Error('there is nothing to send')
}
await Promise.all(Array.from({ length: connections }, sendOn))
const lastedMs = performance.now() - startedAt
times.sort((one, other) => one - other)
const at = (/** @type {number} */ share) => times[Math.ceil(times.length * share) - 1]
process.send?.({ count: times.length, lastedMs, p50Ms: at(0.5), p99Ms: at(0.99) })
process.disconnect()
agent.destroy()
