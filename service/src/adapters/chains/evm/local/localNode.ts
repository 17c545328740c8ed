import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ServiceError } from '#base/errors.js'
import { findAnvil } from './findAnvil.js'
import { findFreePort } from './findFreePort.js'

/** A chain on this machine, started on first use. */
export type LocalNode = {
  readonly isStarted: boolean
  /** Starts the node if needed, and returns its URL once it answers. */
  rpcUrl(): Promise<string>
  /** Saves the chain and ends the node. */
  stop(): Promise<void>
}

/** The chain to run on this machine, and where to store it. */
export type LocalNodeOptions = {
  /** The chain's name in the interface. */
  chain: string
  chainId: number
  /** The folder that stores the chain between starts. */
  dataDir: string
}

const startMs = 45_000

const isAnswering = async (url: string): Promise<boolean> => {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' }),
      signal: AbortSignal.timeout(1_000),
    })
    return response.ok
  } catch {
    return false
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

const start = async ({ chain, chainId, dataDir }: LocalNodeOptions) => {
  await mkdir(dataDir, { recursive: true })
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const guard = spawn(
    process.execPath,
    [
      fileURLToPath(new URL('./guard.mjs', import.meta.url)),
      join(dataDir, `${chain}.pid`),
      join(dataDir, `${chain}.json`),
      findAnvil(),
      '--host',
      '127.0.0.1',
      '--port',
      String(port),
      '--chain-id',
      String(chainId),
      // Mines only when there is a transaction, so that a chain left running overnight does not grow.
      '--silent',
      '--accounts',
      '0',
      // Only the current state is ever read. Past states would fill memory, and then the user's home folder.
      // With none at all, the node refuses reads while it mines a block.
      '--prune-history',
      '16',
      // Saved at the end and every few seconds, so that even a power failure loses little.
      '--state-interval',
      '5',
    ],
    { detached: true, stdio: ['pipe', 'ignore', 'inherit'] },
  )
  const deadline = Date.now() + startMs
  while (!(await isAnswering(url))) {
    if (hasEnded(guard) || Date.now() > deadline) {
      guard.stdin.end()
      throw new ServiceError('chain-unavailable', `The local chain ${chain} did not start`, {
        isOutage: true,
        retryAfterSeconds: 5,
      })
    }
    await sleep(25)
  }
  return { guard, url }
}

const end = async (guard: ChildProcess): Promise<void> => {
  if (hasEnded(guard)) return
  guard.stdin?.end()
  await once(guard, 'exit')
}

/** Creates a chain on this machine: an EVM node with the real chain id, whose state outlives the process. */
export const createLocalNode = (options: LocalNodeOptions): LocalNode => {
  let running: ReturnType<typeof start> | undefined
  return {
    get isStarted() {
      return running !== undefined
    },
    rpcUrl: async () => {
      if (!running) {
        const current = start(options)
        // A node that died or never started is started again on its next use.
        const forget = () => {
          if (running === current) running = undefined
        }
        running = current
        current.then(({ guard }) => guard.once('exit', forget), forget)
      }
      return (await running).url
    },
    stop: async () => {
      const started = await running?.catch(() => undefined)
      running = undefined
      if (started) await end(started.guard)
    },
  }
}
