import { expect, test } from 'vitest'
import { getTimeLeftMs } from '../../src/order/timeLeft.js'
import { orderFixture } from '../../src/testing/index.js'

const at = (time: string): number => Date.parse(`2026-01-01T${time}Z`)

const quoted = (quotedAt: string | undefined, expiresAt: string | undefined) =>
  orderFixture({ quote: { status: 'valid', quotedAt, expiresAt } })

test.each([
  ['while it is valid', '12:00:00', '12:10:00', '12:04:00', 360_000],
  ['once it has expired', '12:00:00', '12:10:00', '12:11:00', 0],
  ['by a clock that is behind: as long as it was made for', '12:00:00', '12:10:00', '11:59:59', 600_000],
  ['if it ends before it was made: the time to its end', '13:00:00', '12:10:00', '12:04:00', 360_000],
  ['if it does not say when it was made: the time to its end', undefined, '12:10:00', '11:59:59', 601_000],
])('behavior: %s', (_, quotedAt, expiresAt, now, leftMs) => {
  const order = quoted(quotedAt && `2026-01-01T${quotedAt}Z`, `2026-01-01T${expiresAt}Z`)
  expect(getTimeLeftMs(order, at(now))).toBe(leftMs)
})

test.each([undefined, 'soon'])('behavior: none without an end (%s)', (expiresAt) => {
  expect(getTimeLeftMs(quoted('2026-01-01T12:00:00Z', expiresAt), at('12:00:00'))).toBe(undefined)
})
