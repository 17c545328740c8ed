const isQuiet = () => process.env.KASSA_QUIET === '1'

/** @param {number} ms */
export const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`

/** @param {string} text */
export const say = (text) => {
  if (!isQuiet()) process.stdout.write(`${text}\n`)
}

/**
 * Does one step and prints it with its time once it is done. Work returns a word to print in place of the
 * time, or nothing.
 * @template {string | void} T
 * @param {string} name
 * @param {() => Promise<T> | T} work
 * @returns {Promise<T>}
 */
export const step = async (name, work) => {
  const startedAt = performance.now()
  try {
    const note = await work()
    say(`  ✓ ${name.padEnd(34)} ${note ?? seconds(performance.now() - startedAt)}`)
    return note
  } catch (error) {
    say(`  ✗ ${name.padEnd(34)} ${seconds(performance.now() - startedAt)}`)
    throw error
  }
}

/**
 * Does one step, prints it with its time, and returns what the work returns.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export const timed = async (name, work) => {
  /** @type {T[]} */
  const results = []
  await step(name, async () => {
    results.push(await work())
  })
  return /** @type {T} */ (results[0])
}

/**
 * Runs a script's main function. An error is printed in one line, without a stack, and ends in status 1.
 * @param {() => Promise<number | void>} main
 */
export const run = async (main) => {
  try {
    process.exitCode = (await main()) ?? 0
  } catch (error) {
    process.stderr.write(`\n${error instanceof Error ? error.message : error}\n`)
    process.exitCode = 1
  }
}
