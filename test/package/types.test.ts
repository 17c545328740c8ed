import { beforeAll, expect, test } from 'vitest'
import { compile, entries, examples, manners, typeTests, writeApp } from './consumer.js'

beforeAll(writeApp)

test.each(Object.keys(manners))('parameters: moduleResolution %s', (manner) => {
  expect(compile('typescript', manner)).toEqual([])
})

test('behavior: the app uses every entry, the examples and the type tests', () => {
  expect(entries).toContain('kassa/locales/de-DE')
  expect(examples.length).toBeGreaterThan(4)
  expect(typeTests.length).toBeGreaterThan(2)
})

test('error: a mistake in the app is reported', () => {
  expect(compile('typescript', 'mistake').join()).toMatch(/mistake\.mts\(2,12\): error TS2322/)
})
