import * as fc from 'fast-check'
import { members } from 'kassa/schema'
import { expect, test } from 'vitest'
import { createNumbers } from '../../console/src/lib/numbers.js'

const tags = [...members.locales, 'ar', 'ar-EG', 'hi-IN', 'en-IN', 'de-CH', 'de-AT', 'es-MX', 'pl']

test.each(tags)('default: %s: what Intl writes is read, and what is written', (tag) => {
  const { read, write, format } = createNumbers(tag)
  for (const number of [0, 7, 1000, 12_345.5, 1_234_567.25, 0.05]) {
    const intl = new Intl.NumberFormat(tag, { useGrouping: true, maximumFractionDigits: 2 }).format(number)
    expect([intl, read(intl)]).toEqual([intl, `${number}`])
    expect(format(`${number}`)).toBe(intl)
    expect(read(write(`${number}`))).toBe(`${number}`)
  }
})

test.each(tags)('behavior: %s: a written number keeps all its digits', (tag) => {
  const { read, write, format } = createNumbers(tag)
  const digits = fc.bigInt({ min: 0n, max: 10n ** 39n })
  fc.assert(
    fc.property(digits, fc.option(fc.nat(999_999)), (whole, fraction) => {
      const number = fraction === null ? `${whole}` : `${whole}.${fraction}`
      expect(read(write(number))).toBe(number)
      expect(read(format(number))).toBe(number)
    }),
  )
})

test.each([
  ['en-US', '1,000', '1000'],
  ['en-US', '1,000.50', '1000.50'],
  ['en-US', '1.000', '1.000'],
  ['en-US', ' 42 ', '42'],
  ['de-DE', '1.000,50', '1000.50'],
  ['de-DE', '1.000', '1000'],
  ['de-DE', '0,5', '0.5'],
  ['de-CH', "1'000.50", '1000.50'],
  ['fr-FR', '1\u202f000,50', '1000.50'],
  ['fr-FR', '1\u00a0000,50', '1000.50'],
  ['fr-FR', '1 000,50', '1000.50'],
  ['es-ES', '1.000', '1000'],
  ['hi-IN', '1,00,000.5', '100000.5'],
  ['hi-IN', '१,००,०००.५', '100000.5'],
  ['ar', '١٬٠٠٠٫٥٠', '1000.50'],
  ['ar-EG', '\u200f1,000.50', '1000.50'],
  ['th-TH', '๑,๐๐๐', '1000'],
  ['ja-JP', '１，０００．５', '1000.5'],
])('parameters: %s: %j is %s', (tag, text, number) => {
  expect(createNumbers(tag).read(text)).toBe(number)
})

test.each([
  '',
  ' ',
  '.',
  ',',
  '1.000,',
  '1,000.',
  '.5',
  '5.',
  '1,00',
  '1,0000',
  '10,00',
  '0,100',
  '1,,000',
  '2 per person',
  '10%',
  '$5',
  '-1',
  '+1',
  '1e3',
  '0x10',
  'Infinity',
  'NaN',
  '007',
  '1 000',
  '1.000,50',
  '1.2.3',
  '½',
  '٤٢',
  '1_000',
  '1\n000',
])('error: en: %j is no number', (text) => {
  expect(createNumbers('en-US').read(text)).toBeUndefined()
})

test.each([
  ['de-DE', '1,000.50'],
  ['de-DE', '0.5'],
  ['de-DE', '1.00'],
  ['fr-FR', '1.000'],
  ['fr-FR', '1\u202f000 000'],
  ['en-IN', '100,00'],
  ['ar', '١٬٠٠0'],
])('error: %s: %j is no number', (tag, text) => {
  expect(createNumbers(tag).read(text)).toBeUndefined()
})
