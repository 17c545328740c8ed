import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import { createConnection } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inDataDir } from '#base/config/inDataDir.js'
import { commandSocket } from './commandSocket.js'

/** How the holder of a folder shows that it is alive. */
export type LockTiming = {
  /** The interval of its heartbeats. */
  beatMs: number
  /** How long it may show no heartbeat before it counts as gone. */
  patienceMs: number
}

/** The embedded database sometimes blocks everything else for seconds. */
const defaultTiming: LockTiming = { beatMs: 2_000, patienceMs: 15_000 }

type Holder = { pid: string; start: string; place: string; beatAtMs: number }

const readWord = (read: () => string): string => {
  try {
    return read().trim()
  } catch {
    return ''
  }
}

/** Identifies the container or machine in which a process number is valid. */
const ownPlace = (): string =>
  [
    hostname(),
    readWord(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')),
    readWord(() => readlinkSync('/proc/self/ns/pid')),
  ].join('/')

/** Returns when a process started, so that a reused number is not taken for the earlier process. */
const startOf = (pid: number): string =>
  readWord(() => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  })

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

const readHolder = (path: string): Holder | undefined => {
  try {
    const [pid = '', start = '', place = ''] = readFileSync(path, 'utf8').split(' ')
    return /^\d+$/.test(pid) ? { pid, start, place, beatAtMs: statSync(path).mtimeMs } : undefined
  } catch {
    return undefined
  }
}

const isAnswering = (address: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection(address)
    socket.on('connect', () => {
      resolve(true)
      socket.destroy()
    })
    socket.on('error', () => resolve(false))
  })

/** The lock of a folder. */
type Lock = { path: string; dataDir: string; timing: LockTiming }

/**
 * Whether the holder in another container or machine is alive, by its socket and its heartbeat, which are all
 * that is visible.
 */
const isBeating = async ({ path, dataDir, timing }: Lock, first: Holder): Promise<boolean> => {
  const { beatMs, patienceMs } = timing
  if (await isAnswering(commandSocket(dataDir))) return true
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += beatMs) {
    if (Date.now() - first.beatAtMs > patienceMs) return false
    await sleep(beatMs)
    const holder = readHolder(path)
    if (!holder) return false
    if (holder.place !== first.place || holder.beatAtMs !== first.beatAtMs) return true
  }
  return false
}

const isHeld = async (lock: Lock, holder: Holder): Promise<boolean> => {
  if (holder.place !== ownPlace()) return isBeating(lock, holder)
  return isAlive(Number(holder.pid)) && startOf(Number(holder.pid)) === holder.start
}

const isSame = (one: Holder, other: Holder | undefined): boolean =>
  one.pid === other?.pid && one.start === other.start && one.place === other.place

/** Removes only the abandoned lock that was found. If two processes find it at once, one fails. */
const take = (path: string, left: Holder | undefined): void => {
  const present = readHolder(path)
  if (!present || isSame(present, left)) rmSync(path, { force: true })
  const file = openSync(path, 'wx')
  writeSync(file, `${process.pid} ${startOf(process.pid)} ${ownPlace()}`)
  closeSync(file)
}

/**
 * Reserves a folder for this process, on this machine or a volume that several containers share. A lock left
 * by a killed process is taken over: at once, or, if it belongs to another container, once its heartbeats
 * have stopped.
 *
 * @returns A function that releases the folder.
 * @throws Error if another living process holds the folder.
 */
export const lockDataDir = async (
  dataDir: string,
  timing: LockTiming = defaultTiming,
): Promise<() => void> => {
  inDataDir(dataDir, () => mkdirSync(dataDir, { recursive: true }))
  const path = join(dataDir, 'service.lock')
  const holder = readHolder(path)
  if (holder && (await isHeld({ path, dataDir, timing }, holder))) {
    const where = holder.place === ownPlace() ? '' : ' of another container or machine'
    throw new Error(
      `the data folder ${dataDir} is in use by process ${holder.pid}${where}; stop it, or set KASSA_DATA_DIR (of a sandbox: --data) or DATABASE_URL`,
    )
  }
  inDataDir(dataDir, () => take(path, holder))
  const mine = readHolder(path)
  const beating = setInterval(() => {
    try {
      const now = new Date()
      utimesSync(path, now, now)
    } catch {
      // Removed with its folder, or away with its disk. The database reports that.
    }
  }, timing.beatMs)
  beating.unref()
  const unlock = () => {
    clearInterval(beating)
    process.off('exit', unlock)
    if (mine && isSame(mine, readHolder(path))) rmSync(path, { force: true })
  }
  // An aborted start has opened nothing yet that could release the folder.
  process.on('exit', unlock)
  return unlock
}
