import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const groups = '/sys/fs/cgroup/cpu'
/** Short, so that a process does not stand still for long when its share is used up. */
const periodUs = 10_000

/** A group of processes with a bounded share of one core. */
export type CpuLimit = { release(): Promise<void> }

/**
 * Bounds a process and its threads to a share of one core, by a control group of Linux.
 *
 * @throws {Error} where this user may not create one, or Linux has only the second version of them.
 */
export const limitCpu = (name: string, pid: number, share: number): CpuLimit => {
  const folder = `${groups}/kassa-bench-${name}`
  try {
    mkdirSync(folder, { recursive: true })
    writeFileSync(`${folder}/cpu.cfs_period_us`, String(periodUs))
    writeFileSync(`${folder}/cpu.cfs_quota_us`, String(Math.round(share * periodUs)))
    writeFileSync(`${folder}/cgroup.procs`, String(pid))
  } catch (cause) {
    throw new Error(`This bench bounds processes by the control groups of ${groups}, as root.`, { cause })
  }
  return {
    release: async () => {
      // A group is removed once its processes have ended.
      for (let tries = 0; ; tries++) {
        try {
          return rmdirSync(folder)
        } catch (error) {
          if (tries >= 50) throw error
          await sleep(100)
        }
      }
    },
  }
}
