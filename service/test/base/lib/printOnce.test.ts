import { expect, test } from 'vitest'
import { printAnswer, printOnce } from '#base/lib/printOnce.js'

/** An object that counts how often it is printed. */
const createCounted = (value: unknown) => {
  const counted = { count: 0 }
  const object = {
    toJSON: () => {
      counted.count += 1
      return value
    },
  }
  return { object, counted }
}

test('default: an object is printed once', () => {
  const { object, counted } = createCounted({ name: '"Tea"' })
  expect([printOnce(object), printOnce(object)]).toEqual(['{"name":"\\"Tea\\""}', '{"name":"\\"Tea\\""}'])
  expect(counted.count).toBe(1)
})

test('behavior: a list is printed as JSON, without printing its members again', () => {
  const { object, counted } = createCounted({ name: 'Tea' })
  printOnce(object)
  const { object: other } = createCounted('not printed before')
  for (const rest of [{}, { nextCursor: 'b3' }, { nextCursor: undefined, previousCursor: 'a"1' }]) {
    const list = { data: [object, other, null, 1, 'text', undefined], ...rest }
    expect(printAnswer(list)).toBe(
      JSON.stringify({ ...list, data: [{ name: 'Tea' }, 'not printed before', null, 1, 'text', null] }),
    )
  }
  expect(counted.count).toBe(1)
})

test.each([
  [undefined, 'null'],
  [null, 'null'],
  [[], '[]'],
  ['text', '"text"'],
  [{ data: [] }, '{"data":[]}'],
  [{ data: { a: 1 }, b: 2 }, '{"data":{"a":1},"b":2}'],
  [{ a: 1, data: [2] }, '{"data":[2],"a":1}'],
])('behavior: %j is printed as %s', (body, text) => {
  expect(printAnswer(body)).toBe(text)
})
