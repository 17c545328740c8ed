import { cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

const sampleMs = 2_000
const patienceMs = 120_000
const quiet = 0.2

const readTimes = () =>
  cpus().reduce(
    (total, { times }) => ({
      idle: total.idle + times.idle,
      all: total.all + times.idle + times.user + times.sys + times.nice + times.irq,
    }),
    { idle: 0, all: 0 },
  )

const measureBusy = async () => {
  const before = readTimes()
  await sleep(sampleMs)
  const after = readTimes()
  return 1 - (after.idle - before.idle) / Math.max(1, after.all - before.all)
}

/**
 * Waits until the machine has little else to do, or for two minutes.
 * @returns {Promise<number>} the share of the machine that was in use at the end
 */
export const waitForQuiet = async () => {
  const deadline = performance.now() + patienceMs
  for (;;) {
    const busy = await measureBusy()
    if (busy < quiet || performance.now() > deadline) return busy
  }
}
