// Keeps one chain node alive exactly as long as its parent. When the parent ends, however it ends, the pipe
// on standard input closes, and the guard signals the node to save its state and stop. It runs in its own
// process group, so that a terminal's Ctrl-C reaches the service first and the service decides when its
// chains end.
import { spawn } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'

const [pidFile = '', stateFile = '', binary = '', ...args] = process.argv.slice(2)
const backup = `${stateFile}.backup`

let isOver = false
const end = () => {
  isOver = true
}
process.stdin.on('close', end).on('error', end).resume()

/** Identifies a process by its number and start time, because systems reuse process numbers. */
const nameProcess = (/** @type {number} */ pid) => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' ? '' : `${pid} ${fields[18]}`
  } catch {
    return `${pid}`
  }
}

const isRunning = (/** @type {string} */ name) => {
  const pid = Number(name.split(' ')[0])
  try {
    return pid > 0 && process.kill(pid, 0) && nameProcess(pid) === name
  } catch {
    return false
  }
}

const readHolders = () => {
  try {
    return readFileSync(pidFile, 'utf8').split('\n')
  } catch {
    return []
  }
}

const isWhole = (/** @type {string} */ path) => {
  try {
    JSON.parse(readFileSync(path, 'utf8'))
    return true
  } catch {
    return false
  }
}

/**
 * Copies the state file, because the node writes it in place: a node killed while writing leaves half a file.
 */
const keepBackup = () => {
  if (!isWhole(stateFile)) return
  copyFileSync(stateFile, `${backup}.part`)
  if (isWhole(`${backup}.part`)) renameSync(`${backup}.part`, backup)
}

// The guard of a killed service may still be saving, and a guard that was itself killed leaves its node
// running. Two nodes must not hold one state file.
for (let [guard = '', node = ''] = readHolders(), isTold = false; isRunning(guard) || isRunning(node); ) {
  if (!isTold && !isRunning(guard)) {
    isTold = true
    process.kill(Number(node.split(' ')[0]), 'SIGTERM')
  }
  await new Promise((resolve) => setTimeout(resolve, 50))
  if (isOver) process.exit(0)
  ;[guard = '', node = ''] = readHolders()
}
keepBackup()
if (existsSync(stateFile) && !isWhole(stateFile)) {
  if (existsSync(backup)) copyFileSync(backup, stateFile)
  else rmSync(stateFile)
}

const node = spawn(binary, ['--state', stateFile, ...args], { stdio: ['ignore', 'ignore', 'inherit'] })
writeFileSync(pidFile, `${nameProcess(process.pid)}\n${nameProcess(node.pid ?? 0)}\n`)
setInterval(keepBackup, 30_000).unref()
const stop = () => node.kill('SIGTERM')
process.stdin.on('close', stop).on('error', stop)
process.on('SIGTERM', stop).on('SIGINT', stop)
if (isOver) stop()
node.on('error', (error) => {
  console.error(error.message)
  process.exitCode = 1
})
node.on('exit', (code) => {
  rmSync(pidFile, { force: true })
  process.exit(code ?? 1)
})
