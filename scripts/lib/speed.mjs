import { Worker } from 'node:worker_threads'

/** How long the work takes on two quiet cores, in milliseconds. */
const quietMs = 700

/** Hashes, parses and allocates, as tests do. */
const work = `
  const { createHash } = require('node:crypto')
  const rows = Array.from({ length: 2_000 }, (_, index) => ({ index, text: 'x'.repeat(50) }))
  for (let round = 0; round < 120; round++) {
    const text = JSON.stringify(rows)
    createHash('sha256').update(text).digest()
    JSON.parse(text)
  }
`

const runWorker = () =>
  new Promise((resolve, reject) => {
    const worker = new Worker(work, { eval: true })
    worker.on('error', reject)
    worker.on('exit', resolve)
  })

/**
 * Measures how many times slower this machine is than two quiet cores: by a fixed piece of work, on two threads at
 * once as the tests run. A machine that is faster counts as one that is as fast.
 * @returns {Promise<number>}
 */
export const measureFactor = async () => {
  const startedAt = performance.now()
  await Promise.all([runWorker(), runWorker()])
  return Math.max(1, Math.round(((performance.now() - startedAt) / quietMs) * 10) / 10)
}
