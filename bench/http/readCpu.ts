import { readdirSync, readFileSync } from 'node:fs'

/** How often the kernel counts the time of a process. @units ms */
const tickMs = 10

type Times = { pid: number; parent: number; ownMs: number; endedMs: number }

const readTimes = (pid: string): Times | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name, in parentheses, may contain spaces.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15).map(Number)
    return {
      pid: Number(pid),
      parent: Number(fields[1]),
      ownMs: (user + system) * tickMs,
      endedMs: (endedUser + endedSystem) * tickMs,
    }
  } catch {
    return undefined
  }
}

/**
 * Reads the CPU time of a process so far; with its children, of those that have ended too. It is NaN on systems
 * without `/proc`.
 *
 * @units ms
 */
export const readCpu = (pid: number, withChildren = false): number => {
  const own = readTimes(String(pid))
  if (!own) return Number.NaN
  if (!withChildren) return own.ownMs
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readTimes(name) ?? [])
    .filter(({ parent }) => parent === pid)
  return own.ownMs + own.endedMs + children.reduce((sum, { ownMs }) => sum + ownMs, 0)
}
