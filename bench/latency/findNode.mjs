import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Where a local chain's own node listens, which the service keeps to itself.
 * @param {{ serviceUrl: string }} stack
 * @param {string} dataDir of the stack
 * @param {string} chain
 */
export const findNode = async ({ serviceUrl }, dataDir, chain) => {
  // A chain is started by its first request.
  await fetch(`${serviceUrl}/rpc/${chain}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' }),
  })
  const holders = readFileSync(join(dataDir, 'service/chains', `${chain}.pid`), 'utf8').split('\n')
  const pid = holders[1]?.split(' ')[0] ?? ''
  const port = /--port (\d+)/.exec(execFileSync('ps', ['-o', 'args=', '-p', pid], { encoding: 'utf8' }))?.[1]
  if (!port) throw new Error(`The node of ${chain} was not found.`)
  return `127.0.0.1:${port}`
}
