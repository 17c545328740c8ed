import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { findAnvil } from './findAnvil.js'
import { findFreePort } from './findFreePort.js'

/** A chain on this machine, started when somebody first asks for it. */
export type LocalNode = {
  readonly isStarted: boolean
  /** Where it answers, once it does. */
  rpcUrl(): Promise<string>
  /** Saves the chain and ends the node. */
  stop(): Promise<void>
}

export type LocalNodeOptions = {
  /** The chain by the interface's name. */
  chain: string
  chainId: number
  /** Where the chain is kept between starts. */
  dataDir: string
}

const startMs = 20_000

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

const start = async ({ chain, chainId, dataDir }: LocalNodeOptions) => {
  await mkdir(dataDir, { recursive: true })
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const state = join(dataDir, `${chain}.json`)
  const guard = spawn(
    process.execPath,
    [
      fileURLToPath(new URL('./guard.mjs', import.meta.url)),
      join(dataDir, `${chain}.pid`),
      findAnvil(),
      ...['--host', '127.0.0.1', '--port', String(port), '--chain-id', String(chainId)],
      // Mines when there is something to mine: a chain left running overnight does not grow.
      ...['--silent', '--accounts', '0'],
      // Saved at the end and every few seconds: even a machine that loses power loses little.
      ...['--state', state, '--state-interval', '5'],
    ],
    { detached: true, stdio: ['pipe', 'ignore', 'inherit'] },
  )
  const deadline = Date.now() + startMs
  while (!(await isAnswering(url))) {
    if (guard.exitCode !== null || Date.now() > deadline) {
      guard.stdin.end()
      throw new Error(`the local chain ${chain} did not start`)
    }
    await sleep(25)
  }
  return { guard, url }
}

const end = async (guard: ChildProcess): Promise<void> => {
  if (guard.exitCode !== null) return
  guard.stdin?.end()
  await once(guard, 'exit')
}

/** Describes a chain on this machine: an EVM node with the true chain id, whose state outlives the process. */
export const createLocalNode = (options: LocalNodeOptions): LocalNode => {
  let running: ReturnType<typeof start> | undefined
  return {
    get isStarted() {
      return running !== undefined
    },
    rpcUrl: async () => {
      running ??= start(options).catch((error) => {
        running = undefined
        throw error
      })
      return (await running).url
    },
    stop: async () => {
      const started = await running?.catch(() => undefined)
      running = undefined
      if (started) await end(started.guard)
    },
  }
}
