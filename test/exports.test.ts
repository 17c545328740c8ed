import { expect, test } from 'vitest'
import { readSource } from './helpers/sources.js'

/** Names that exist at run time when an entry of the package is imported. */
const namesOf = async (entry: string): Promise<string[]> => Object.keys(await import(entry)).sort()

test('behavior: the package has these entries', () => {
  expect(Object.keys(JSON.parse(readSource('package.json')).exports)).toEqual([
    '.',
    './schema',
    './api',
    './query',
    './package.json',
  ])
})

test('behavior: kassa exports these names', async () => {
  expect(await namesOf('kassa')).toMatchInlineSnapshot()
})

test('behavior: kassa/schema exports these names', async () => {
  expect(await namesOf('kassa/schema')).toMatchInlineSnapshot()
})

test('behavior: kassa/api exports these names', async () => {
  expect(await namesOf('kassa/api')).toMatchInlineSnapshot()
})

test('behavior: kassa/query exports these names', async () => {
  expect(await namesOf('kassa/query')).toMatchInlineSnapshot()
})
