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
import { commandSocket } from './commandSocket.js'

/** How the holder of a folder shows that it lives. */
export type LockTiming = {
  /** How often. */
  beatMs: number
  /** For how long it may show nothing before it counts as gone. */
  patienceMs: number
}

/** The embedded database stops everything else for seconds at times. */
const defaultTiming: LockTiming = { beatMs: 2_000, patienceMs: 15_000 }

type Holder = { pid: string; start: string; place: string; beatAtMs: number }

const readWord = (read: () => string): string => {
  try {
    return read().trim()
  } catch {
    return ''
  }
}

/** Where the number of a process means something: a container counts its own, and so does another machine. */
const ownPlace = (): string =>
  [
    hostname(),
    readWord(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')),
    readWord(() => readlinkSync('/proc/self/ns/pid')),
  ].join('/')

/** When a process began, so that a number given out again is not taken for the process that had it before. */
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

/** Of another container or machine nothing is to be seen but its socket and its heart. */
const isBeating = async (
  path: string,
  dataDir: string,
  first: Holder,
  { beatMs, patienceMs }: LockTiming,
): Promise<boolean> => {
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

const isHeld = async (
  path: string,
  dataDir: string,
  holder: Holder,
  timing: LockTiming,
): Promise<boolean> => {
  if (holder.place !== ownPlace()) return isBeating(path, dataDir, holder, timing)
  return isAlive(Number(holder.pid)) && startOf(Number(holder.pid)) === holder.start
}

const isSame = (one: Holder, other: Holder | undefined): boolean =>
  one.pid === other?.pid && one.start === other.start && one.place === other.place

/** Puts aside only what was found left; of two processes that found it at once, one fails. */
const take = (path: string, left: Holder | undefined): void => {
  const present = readHolder(path)
  if (!present || isSame(present, left)) rmSync(path, { force: true })
  const file = openSync(path, 'wx')
  writeSync(file, `${process.pid} ${startOf(process.pid)} ${ownPlace()}`)
  closeSync(file)
}

/**
 * Keeps a folder for this process alone, on this machine or a volume that several containers share. A lock left behind
 * by a killed process is taken over: at once, or, where it was of another container, when it has shown no sign of life.
 *
 * @returns What gives the folder back.
 * @throws Error when another living process holds the folder.
 */
export const lockDataDir = async (
  dataDir: string,
  timing: LockTiming = defaultTiming,
): Promise<() => void> => {
  mkdirSync(dataDir, { recursive: true })
  const path = join(dataDir, 'service.lock')
  const holder = readHolder(path)
  if (holder && (await isHeld(path, dataDir, holder, timing))) {
    const where = holder.place === ownPlace() ? '' : ' of another container or machine'
    throw new Error(
      `the data folder ${dataDir} is in use by process ${holder.pid}${where}; stop it, or set KASSA_DATA_DIR (of a sandbox: --data) or DATABASE_URL`,
    )
  }
  take(path, holder)
  const mine = readHolder(path)
  const beating = setInterval(() => {
    try {
      const now = new Date()
      utimesSync(path, now, now)
    } catch {
      // Gone with its folder, or away with its disk: the database says so itself.
    }
  }, timing.beatMs)
  beating.unref()
  const unlock = () => {
    clearInterval(beating)
    process.off('exit', unlock)
    if (mine && isSame(mine, readHolder(path))) rmSync(path, { force: true })
  }
  // A start that is broken off has opened nothing yet that could give the folder back.
  process.on('exit', unlock)
  return unlock
}
