import { parentPort, workerData } from 'node:worker_threads'
import { type Range, runWorlds } from './runWorlds.js'
import { shrinkWorld } from './shrink.js'

/** What a worker is asked for: to run worlds, or to run one again and shrink it. */
type Task = { type: 'run'; range: Range } | { type: 'replay'; seed: string; world: number }

const worldsPerReport = 50

const runRange = async (range: Range): Promise<void> => {
  let stopAfter = Number.POSITIVE_INFINITY
  let done = 0
  parentPort?.on('message', (world: number) => {
    stopAfter = Math.min(stopAfter, world)
  })
  const tally = await runWorlds(range, (number, { invariants }) => {
    done += 1
    if (done % worldsPerReport === 0) {
      parentPort?.postMessage({ type: 'progress', worlds: done, heapBytes: process.memoryUsage().heapUsed })
    }
    const { violation } = invariants
    if (violation !== undefined) {
      stopAfter = Math.min(stopAfter, number)
      parentPort?.postMessage({ type: 'violation', world: number, text: violation })
    }
    return number <= stopAfter
  })
  parentPort?.postMessage({ type: 'end', worlds: done, tally })
}

const task = workerData as Task
if (task.type === 'run') await runRange(task.range)
else parentPort?.postMessage({ type: 'replayed', replay: await shrinkWorld(task.seed, task.world) })
parentPort?.close()
