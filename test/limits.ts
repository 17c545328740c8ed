/** How many times slower this machine is than a quiet one. `npm test` measures it when it begins. */
const factor = Math.max(1, Number(process.env.KASSA_TEST_FACTOR) || 1)

/**
 * How long a test waits, in milliseconds. No test has a limit besides these. They only end what would never end, so
 * they are generous. No expectation depends on them.
 */
export const limits = {
  /** For a condition: an answer, a block, a text on a page. */
  conditionMs: 60_000 * factor,
  /** For a test, and for each of its hooks. */
  testMs: 600_000 * factor,
}
