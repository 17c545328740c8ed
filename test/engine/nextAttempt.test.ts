import { expect, test } from 'vitest'
import { nextAttemptAtMs, promptMs } from '../../src/engine/nextAttempt.js'

test.each([
  [1, 15_000],
  [2, 120_000],
  [3, 900_000],
])('default: what the chain refused at attempt %i is tried again after %i ms', (attempt, delayMs) => {
  expect(nextAttemptAtMs(attempt, 1_000_000)).toBe(1_000_000 + delayMs)
})

test('parameters: prompt attempts end within a minute', () => {
  expect([1, 2].map((attempt) => nextAttemptAtMs(attempt, 1_000_000, promptMs))).toEqual([
    1_002_000, 1_010_000,
  ])
})

test('behavior: the last refusal is final', () => {
  expect(nextAttemptAtMs(4, 1_000_000)).toBeUndefined()
  expect(nextAttemptAtMs(3, 1_000_000, promptMs)).toBeUndefined()
})
