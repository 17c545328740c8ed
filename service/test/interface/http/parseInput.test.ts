import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { parseInput } from '#base/lib/parseInput.js'

const Body = z.object({
  kind: z.enum(['one', 'two'], 'expected "one" or "two"'),
  size: z.union([z.string(), z.number()], 'expected a string or a number'),
  name: z.string().check(z.minLength(1, 'must not be empty'), z.regex(/^[a-z]+$/, 'expected letters')),
})
const good = { kind: 'one', size: 1, name: 'tea' }

test('default', () => {
  expect(parseInput(Body, { ...good, other: 1 }, 'body')).toEqual(good)
})

test.each([
  [
    'what is missing is required, whatever it was to be',
    {},
    'kind: required; size: required; name: required',
  ],
  [
    'what is there and wrong is named',
    { ...good, kind: 'x', size: true },
    'kind: expected "one" or "two"; size: expected a string or a number',
  ],
  ['null is no value for a required field', { ...good, size: null }, 'size: required'],
  ['a field is named once', { ...good, name: '' }, 'name: must not be empty'],
  ['the whole has the name that it is given', 7, 'body: expected object, received number'],
])('error: input-invalid, %s', (_, value, message) => {
  expect(() => parseInput(Body, value, 'body')).toThrow(
    expect.objectContaining({ code: 'input-invalid', message }),
  )
})
