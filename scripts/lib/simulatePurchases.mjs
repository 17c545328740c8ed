import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { Worker } from 'node:worker_threads'
import { build } from 'esbuild'
import { root, stateDir } from './paths.mjs'

/**
 * @typedef {import('./plantedBugs.mjs').PlantedBug} PlantedBug
 * @typedef {{ world: number, text: string }} Violation
 * @typedef {{ violation: string, faults: string[], trace: string[] }} Replay
 * @typedef {{ worlds: number, tally: Record<string, number>, violation: Violation | undefined, heapBytes: number }} Outcome
 */

/** How many purchases one world has. */
export const purchasesPerWorld = 4

/**
 * Applies a planted bug to a file's text.
 * @param {PlantedBug} bug
 * @param {string} file
 * @param {string} source
 */
const plant = ({ name, changes }, file, source) => {
  let planted = source
  for (const change of changes) {
    if (change.file !== file) continue
    const parts = planted.split(change.text)
    if (parts.length !== 2) {
      throw new Error(
        `The planted bug ${name} expects once in ${file}, not ${parts.length - 1} times: ${change.text}`,
      )
    }
    planted = parts.join(change.by)
  }
  return planted
}

/**
 * Bundles the simulation with the code that it runs, with a bug in it or without.
 * @param {PlantedBug} [bug]
 * @returns {Promise<string>} the path of the bundle
 */
export const bundleSimulation = async (bug) => {
  const outfile = join(stateDir, 'simulation', `${bug?.name ?? 'purchases'}.mjs`)
  const files = new Set(bug?.changes.map(({ file }) => file))
  await build({
    entryPoints: [join(root, 'test/simulation/virtual/worker.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: 'inline',
    logLevel: 'silent',
    // As in the tests, `kassa/...` means its source.
    conditions: ['@kassa/source'],
    plugins: [
      {
        name: 'packages',
        setup: ({ onResolve }) => {
          onResolve({ filter: /^[^./#]/ }, ({ path, kind }) =>
            kind === 'entry-point' || path.startsWith('kassa/') ? undefined : { path, external: true },
          )
        },
      },
      {
        name: 'planted bug',
        setup: ({ onLoad }) => {
          onLoad({ filter: /\.ts$/ }, async ({ path }) => {
            const file = relative(root, path)
            if (!bug || !files.delete(file)) return undefined
            return { contents: plant(bug, file, await readFile(path, 'utf8')), loader: 'ts' }
          })
        },
      },
    ],
  })
  const [unused] = files
  if (unused !== undefined)
    throw new Error(`The simulation does not use ${unused}, into which ${bug?.name} is planted.`)
  return outfile
}

/**
 * @param {string} bundle
 * @param {object} task
 */
const startWorker = (bundle, task) =>
  // Most of what a world needs is forgotten soon: with more room for new objects, less is copied.
  new Worker(bundle, { workerData: task, resourceLimits: { maxYoungGenerationSizeMb: 64 } })

/**
 * Runs worlds on several threads, until all are done or something happens in one that never may.
 * @param {{ bundle: string, seed: string, worlds: number, jobs: number, onProgress?: (worlds: number) => void }} options
 * @returns {Promise<Outcome>}
 */
export const simulatePurchases = async ({ bundle, seed, worlds, jobs, onProgress = () => {} }) => {
  /** @type {Violation | undefined} */
  let violation
  let heapBytes = 0
  /** @type {Record<string, number>} */
  const tally = {}
  const done = new Map()
  const workers = Array.from({ length: jobs }, (_, job) =>
    startWorker(bundle, { type: 'run', range: { seed, first: job + 1, step: jobs, last: worlds } }),
  )
  await Promise.all(
    workers.map(
      (worker) =>
        new Promise((resolve, reject) => {
          worker.on('error', reject)
          worker.on('exit', resolve)
          worker.on('message', (message) => {
            if (message.worlds !== undefined) {
              done.set(worker, message.worlds)
              onProgress([...done.values()].reduce((sum, count) => sum + count, 0))
            }
            heapBytes = Math.max(heapBytes, message.heapBytes ?? 0)
            for (const [name, count] of Object.entries(message.tally ?? {}))
              tally[name] = (tally[name] ?? 0) + count
            if (message.type !== 'violation') return
            if (!violation || message.world < violation.world)
              violation = { world: message.world, text: message.text }
            for (const other of workers) other.postMessage(violation.world)
          })
        }),
    ),
  )
  return { worlds: [...done.values()].reduce((sum, count) => sum + count, 0), tally, violation, heapBytes }
}

/**
 * Runs one world again, and leaves out all faults that its violation does not need.
 * @param {{ bundle: string, seed: string, world: number }} options
 * @returns {Promise<Replay | undefined>}
 */
export const replayWorld = ({ bundle, seed, world }) =>
  new Promise((resolve, reject) => {
    const worker = startWorker(bundle, { type: 'replay', seed, world })
    worker.on('error', reject)
    worker.on('message', ({ replay }) => resolve(replay))
  })
