import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The address of a local chain's own node, which the service keeps to itself. */
const findUrl = (dataDir: string, chain: string): string => {
  const holders = readFileSync(join(dataDir, 'service/chains', `${chain}.pid`), 'utf8').split('\n')
  const pid = holders[1]?.split(' ')[0] ?? ''
  const port = /--port (\d+)/.exec(execFileSync('ps', ['-o', 'args=', '-p', pid], { encoding: 'utf8' }))?.[1]
  if (!port) throw new Error(`the node of ${chain} was not found`)
  return `http://127.0.0.1:${port}`
}

const call = async (url: string, method: string, params: unknown[] = []): Promise<void> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { error } = (await response.json()) as { error?: { message: string } }
  if (error) throw new Error(`${method}: ${error.message}`)
}

/** Does something while a chain makes no blocks: whatever is sent to it waits in its pool until after. */
export const withoutBlocks = async <Result>(
  dataDir: string,
  chain: string,
  work: () => Promise<Result>,
): Promise<Result> => {
  const url = findUrl(dataDir, chain)
  await call(url, 'evm_setAutomine', [false])
  try {
    return await work()
  } finally {
    await call(url, 'evm_setAutomine', [true])
    await call(url, 'evm_mine')
  }
}

/** Has a chain's node forget a transaction that waits for its block, as a full pool does. */
export const forgetTransaction = (dataDir: string, chain: string, txId: string): Promise<void> =>
  call(findUrl(dataDir, chain), 'anvil_dropTransaction', [txId])
