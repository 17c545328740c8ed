import { once } from 'node:events'
import { connect } from 'node:net'
import { setPriority } from 'node:os'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * One flood. It ends by itself.
 * @typedef {{
 *   url: string, method: string, paths: string[], body?: string, headers: Record<string, string>,
 *   network?: string, lastMs: number, maxCount: number, isHeldOpen?: boolean,
 * }} Flood `network`: the address of each request, with `#` for its number
 */

const connections = 16

// The flood would have a machine of its own. On this one it leaves the cores to the service and to the probe.
setPriority(10)

/** @type {Flood} */
const flood = (await once(process, 'message'))[0]
const { url, method, paths, body, network, lastMs, maxCount } = flood
const { hostname, port } = new URL(url)
const endAt = performance.now() + lastMs

/** @type {Record<string, number>} */
const answers = {}
const count = (/** @type {string | number} */ answer) => {
  answers[answer] = (answers[answer] ?? 0) + 1
}

const headersOf = (/** @type {number} */ index) => ({
  ...flood.headers,
  ...(network && { 'x-forwarded-for': network.replace('#', index.toString(16)) }),
})

const sendRequests = async () => {
  let next = 0
  const sendOn = async () => {
    while (next < maxCount && performance.now() < endAt) {
      const index = next++
      const path = paths[index % paths.length] ?? '/'
      const headers = headersOf(index)
      try {
        const answer = await fetch(`${url}${path}`, { method, headers, ...(body && { body }) })
        count(answer.status)
        await answer.arrayBuffer()
      } catch {
        count('none')
      }
    }
  }
  await Promise.all(Array.from({ length: connections }, sendOn))
}

/** Asks on many connections and takes nothing of the answers. */
const holdOpen = async () => {
  const sockets = Array.from({ length: maxCount }, (_, index) => {
    const socket = connect(Number(port), hostname)
    const lines = Object.entries({ host: hostname, ...headersOf(index) }).map((line) => line.join(': '))
    socket.write(`GET ${paths[0]} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
    socket.on('error', () => {})
    socket.once('data', (head) => {
      count(String(head).slice(9, 12))
      socket.pause()
    })
    return socket
  })
  await sleep(lastMs)
  for (const socket of sockets) socket.destroy()
}

await (flood.isHeldOpen ? holdOpen() : sendRequests())
process.send?.(answers)
process.disconnect()
