import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ServiceError } from '#base/errors.js'

/** A cluster of this machine, started on first use. */
export type LocalSolana = {
  readonly isStarted: boolean
  /** Starts the cluster if needed, and returns the URL of its node. */
  rpcUrl(): Promise<string>
  /** Saves the cluster's state and ends it. */
  stop(): Promise<void>
}

const startMs = 30_000

const compiled = fileURLToPath(new URL('./runLocalSolana.js', import.meta.url))

const unavailable = (message: string) =>
  new ServiceError('chain-unavailable', message, { isOutage: true, retryAfterSeconds: 5 })

/** Starts the process, and waits for the line in which it says its URL. */
const startProcess = async (statePath: string): Promise<{ child: ChildProcess; url: string }> => {
  const child = spawn(process.execPath, [compiled, statePath], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const timeUp = AbortSignal.timeout(startMs)
  const [line] = await Promise.race([
    once(child.stdout, 'data', { signal: timeUp }),
    once(child, 'exit').then((): never => {
      throw unavailable('The local Solana cluster did not start')
    }),
  ]).catch((cause) => {
    child.stdin.end()
    throw cause instanceof ServiceError ? cause : unavailable('The local Solana cluster did not start')
  })
  return { child, url: String(line).trim() }
}

/** Without a build, as in tests, there is no script to run, and the cluster is in this process. */
const startHere = async (statePath: string) => {
  const { startLocalSolana } = await import('./startLocalSolana.js')
  const node = await startLocalSolana({ port: 0, statePath })
  return { node, url: node.rpcUrl }
}

const start = (statePath: string) => (existsSync(compiled) ? startProcess(statePath) : startHere(statePath))

const end = async (running: Awaited<ReturnType<typeof start>>): Promise<void> => {
  if ('node' in running) return running.node.close()
  const { child } = running
  if (child.exitCode !== null || child.signalCode !== null) return
  child.stdin?.end()
  await once(child, 'exit')
}

/** Creates a Solana cluster on this machine, whose state outlives the process. */
export const createLocalSolana = ({ dataDir }: { dataDir: string }): LocalSolana => {
  const statePath = join(dataDir, 'solana.state')
  let running: ReturnType<typeof start> | undefined
  return {
    get isStarted() {
      return running !== undefined
    },
    rpcUrl: async () => {
      if (!running) {
        const current = start(statePath)
        // A cluster that died or never started is started again on its next use.
        const forget = () => {
          if (running === current) running = undefined
        }
        running = current
        current.then((started) => 'child' in started && started.child.once('exit', forget), forget)
      }
      return (await running).url
    },
    stop: async () => {
      const started = await running?.catch(() => undefined)
      running = undefined
      if (started) await end(started)
    },
  }
}
