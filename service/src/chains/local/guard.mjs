// Keeps one chain node alive exactly as long as its parent: when the parent ends, however it ends, the pipe on
// standard input closes, and the node is told to save its state and stop. Runs in a process group of its own, so
// that a terminal's Ctrl-C reaches the service first and the service decides when its chains end.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'

const [pidFile, binary, ...args] = process.argv.slice(2)

const isAlive = (pid) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

// The guard of a killed service may still be saving: two nodes must not hold one state file.
while (existsSync(pidFile) && isAlive(Number(readFileSync(pidFile, 'utf8')))) {
  await new Promise((resolve) => setTimeout(resolve, 50))
}
writeFileSync(pidFile, String(process.pid))

const node = spawn(binary, args, { stdio: ['ignore', 'ignore', 'inherit'] })
const stop = () => node.kill('SIGTERM')
process.stdin.on('close', stop).on('error', stop).resume()
process.on('SIGTERM', stop).on('SIGINT', stop)
node.on('error', (error) => {
  console.error(error.message)
  process.exitCode = 1
})
node.on('exit', (code) => {
  rmSync(pidFile, { force: true })
  process.exit(code ?? 1)
})
