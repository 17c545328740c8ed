import { expect, test } from 'vitest'
import { isNotModified } from '../../src/engine/isNotModified.js'

test.each([
  ['"one"', true],
  ['W/"one"', true],
  ['"other", W/"one"', true],
  ['*', true],
  ['"other"', false],
  ['one', false],
  ['', false],
  [undefined, false],
  [null, false],
])('default: %s', (header, isHeld) => {
  expect(isNotModified(header, '"one"')).toBe(isHeld)
})
