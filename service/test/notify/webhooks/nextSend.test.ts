import { expect, test } from 'vitest'
import { nextSendAtMs } from '#notify/webhooks/nextSend.js'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const schedule = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour]
const least = (length: number) => new Uint8Array(length)
const most = (length: number) => new Uint8Array(length).fill(255)

test('default: the schedule, then no more', () => {
  expect(schedule.map((_, at) => nextSendAtMs(at + 1, 1_000_000, least))).toEqual(
    schedule.map((delayMs) => 1_000_000 + delayMs),
  )
  expect(nextSendAtMs(8, 0, least)).toBeUndefined()
})

test('behavior: jitter only makes it later, by a tenth at most', () => {
  for (const [at, delayMs] of schedule.entries()) {
    const atMs = nextSendAtMs(at + 1, 0, most) ?? 0
    expect(atMs).toBeGreaterThan(delayMs * 1.09)
    expect(atMs).toBeLessThanOrEqual(delayMs * 1.1)
  }
})
