const isQuiet = () => process.env.KASSA_QUIET === '1'

/** How often a running step is reported: on a terminal, and in a log. */
const terminalMs = 1000
const logMs = 5000

/** @param {number} ms */
export const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`

/** @typedef {{ name: string, startedAt: number, note: string }} RunningStep */

/**
 * Prints steps. On a terminal, the running ones share the last line, which counts their seconds. In a log, a step
 * has a line when it begins, every five seconds, and when it ends.
 * @param {{ write(text: string): unknown, isTTY?: boolean, columns?: number }} out
 */
export const createReport = (out) => {
  /** @type {Set<RunningStep>} */
  const running = new Set()
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  let isDrawn = false
  const describe = (/** @type {RunningStep} */ { name, startedAt, note }) =>
    `${name} ${Math.floor((performance.now() - startedAt) / 1000)} s${note && ` (${note})`}`
  const describeAll = () => [...running].map(describe).join(', ')
  /** @param {string} text whole lines, printed above the line that counts */
  const print = (text) => {
    if (isQuiet()) return
    const cleared = isDrawn ? '\r\x1b[2K' : ''
    isDrawn = out.isTTY === true && running.size > 0
    const line = isDrawn ? `  … ${describeAll()}` : ''
    // A line that wraps could not be cleared.
    out.write(`${cleared}${text}${line.slice(0, (out.columns || 80) - 1)}`)
  }
  const printRunning = () => print(out.isTTY ? '' : `    ${describeAll()}\n`)
  return {
    print,
    /** @param {string} name */
    begin(name) {
      const step = { name, startedAt: performance.now(), note: '' }
      running.add(step)
      print(out.isTTY ? '' : `  … ${name}\n`)
      timer ??= setInterval(printRunning, out.isTTY ? terminalMs : logMs).unref()
      return step
    },
    /**
     * @param {RunningStep} step
     * @param {'✓' | '✗'} mark
     * @param {string} [result] its time unless given
     */
    end(step, mark, result = seconds(performance.now() - step.startedAt)) {
      running.delete(step)
      print(`  ${mark} ${step.name.padEnd(34)} ${result}\n`)
      if (running.size > 0) return
      clearInterval(timer)
      timer = undefined
    },
  }
}

const report = createReport(process.stdout)

/** @param {string} text */
export const say = (text) => report.print(`${text}\n`)

/**
 * Prints a step that had nothing to do.
 * @param {string} name
 * @param {string} reason
 */
export const skipped = (name, reason) => say(`  ✓ ${name.padEnd(34)} ${reason}`)

/**
 * Does one step and prints its beginning and its time. Work may set a note about its progress, and returns a word to
 * print in place of the time, or nothing.
 * @template {string | void} T
 * @param {string} name
 * @param {(setNote: (note: string) => void) => Promise<T> | T} work
 * @returns {Promise<T>}
 */
export const step = async (name, work) => {
  const begun = report.begin(name)
  try {
    const result = await work((note) => {
      begun.note = note
    })
    report.end(begun, '✓', result ?? undefined)
    return result
  } catch (error) {
    report.end(begun, '✗')
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
 * What went wrong, in a sentence. Those of the file system that a person can mend are put into plain words.
 * @param {unknown} error
 */
export const describeError = (error) => {
  if (!(error instanceof Error)) return String(error)
  const { code, path } = /** @type {NodeJS.ErrnoException} */ (error)
  if (code === 'ENOSPC') return 'The disk is full.'
  if (path && (code === 'EACCES' || code === 'EPERM' || code === 'EROFS'))
    return `${path} cannot be written (${code}). Check who owns it, or work in a folder of your own.`
  return error.message
}

/**
 * Runs a script's main function. An error is printed in one line, without a stack, and ends in status 1.
 * @param {() => Promise<number | void>} main
 */
export const run = async (main) => {
  try {
    process.exitCode = (await main()) ?? 0
  } catch (error) {
    process.stderr.write(`\n${describeError(error)}\n`)
    process.exitCode = 1
  }
}
