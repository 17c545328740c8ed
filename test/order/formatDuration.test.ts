import { expect, test } from 'vitest'
import { formatDuration } from '../../src/order/index.js'

test.each([
  [245, 'en-US', '4 minutes 5 seconds'],
  [60, 'en-US', '1 minute'],
  [3_601, 'en-US', '1 hour 1 second'],
  [0, 'en-US', '0 seconds'],
  [245, 'de-DE', '4 Minuten 5 Sekunden'],
  [121, 'ru-RU', '2 минуты 1 секунда'],
  [5, undefined, '5 seconds'],
  [5, 'xx', '5 seconds'],
])('parameters: %s seconds, %s: %s', (seconds, locale, text) => {
  expect(formatDuration(seconds, locale)).toBe(text)
})
