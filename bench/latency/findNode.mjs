import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const startMs = 30_000

/**
 * @param {string} pidFile
 * @returns {string | undefined} the port of the node whose process the file names
 */
const readPort = (pidFile) => {
  const holders = existsSync(pidFile) ? readFileSync(pidFile, 'utf8').split('\n') : []
  const pid = holders[1]?.split(' ')[0]
  if (!pid) return undefined
  const line = execFileSync('ps', ['-o', 'args=', '-p', pid], { encoding: 'utf8' })
  return /--port (\d+)/.exec(line)?.[1]
}

/**
 * Where a local chain's own node listens, which the service keeps to itself.
 * @param {{ serviceUrl: string }} stack
 * @param {string} dataDir of the stack
 * @param {string} chain
 */
export const findNode = async ({ serviceUrl }, dataDir, chain) => {
  // A chain is started by its first request, which is answered once the service's contracts are final. Until then,
  // the node may need to be told to make blocks.
  fetch(`${serviceUrl}/rpc/${chain}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' }),
  }).catch(() => {})
  for (const end = Date.now() + startMs; Date.now() < end; await sleep(50)) {
    const port = readPort(join(dataDir, 'service/chains', `${chain}.pid`))
    if (port) return `127.0.0.1:${port}`
  }
  throw new Error(`The node of ${chain} was not found.`)
}
