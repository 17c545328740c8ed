import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** When a process began, so that a number given out again is not taken for the process that had it before. */
const startOf = (pid: number): string => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    return ''
  }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

const isHeld = (path: string): string | undefined => {
  try {
    const [pid = '', start = ''] = readFileSync(path, 'utf8').split(' ')
    return /^\d+$/.test(pid) && isAlive(Number(pid)) && startOf(Number(pid)) === start ? pid : undefined
  } catch {
    return undefined
  }
}

/**
 * Keeps a folder for this process alone; a lock left behind by a killed process is taken over.
 *
 * @returns What gives the folder back.
 * @throws Error when another living process holds the folder.
 */
export const lockDataDir = (dataDir: string): (() => void) => {
  mkdirSync(dataDir, { recursive: true })
  const path = join(dataDir, 'service.lock')
  const holder = isHeld(path)
  if (holder) {
    throw new Error(
      `the data folder ${dataDir} is in use by process ${holder}; stop it, or set KASSA_DATA_DIR (of a sandbox: --data) or DATABASE_URL`,
    )
  }
  rmSync(path, { force: true })
  // Exclusive: of two processes that found a stale lock at once, one fails here.
  const file = openSync(path, 'wx')
  writeSync(file, `${process.pid} ${startOf(process.pid)}`)
  closeSync(file)
  return () => rmSync(path, { force: true })
}
