/**
 * A local Solana cluster as a process of its own: `node runLocalSolana.js <state file>`. It prints the URL of its
 * node, and runs until its standard input closes, which happens however its parent ends.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const [statePath = ''] = process.argv.slice(2)
const pidPath = `${statePath}.pid`

let stop = (): void => process.exit(0)
process.stdin
  .on('close', () => stop())
  .on('error', () => stop())
  .resume()
// A terminal's Ctrl-C reaches the service, which decides when its chains end.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => stop())

const isRunning = (pid: number): boolean => {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch {
    return false
  }
}

const readPid = (): number => {
  try {
    return Number(readFileSync(pidPath, 'utf8'))
  } catch {
    return 0
  }
}

const savingMs = 10_000

// The cluster of a service that just ended may still be saving. Two must not hold one state.
for (const end = Date.now() + savingMs; isRunning(readPid()) && Date.now() < end; ) await sleep(50)
mkdirSync(dirname(statePath), { recursive: true })
writeFileSync(pidPath, `${process.pid}`)

try {
  const { startLocalSolana } = await import('./startLocalSolana.js')
  const node = await startLocalSolana({ port: 0, statePath })
  stop = () => {
    node.close().finally(() => {
      rmSync(pidPath, { force: true })
      process.exit(0)
    })
  }
  process.stdout.write(`${node.rpcUrl}\n`)
} catch (error) {
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
  console.error(isMissing ? 'A local Solana needs the package litesvm: npm install litesvm' : error)
  rmSync(pidPath, { force: true })
  process.exit(1)
}
