import { expect, test } from 'vitest'
import { locales } from '../../src/schema/orderMembers.js'
import { readSource } from '../helpers/sources.js'

const sentencesOf = (locale: string): Map<string, string> => {
  const source = readSource(`pay/src/messages/${locale}.ts`)
  return new Map(
    [...source.matchAll(/^ {2}(\w+):\s+['"](.*)['"],$/gm)].map(([, key = '', text = '']) => [key, text]),
  )
}

const english = sentencesOf('en-US')

test.each(locales)('behavior: the page of a payment link speaks %s', (locale) => {
  const own = sentencesOf(locale)
  expect([...own.keys()]).toEqual([...english.keys()])
  for (const [key, text] of own) {
    expect(text.match(/\{\w+\}/g) ?? [], key).toEqual(english.get(key)?.match(/\{\w+\}/g) ?? [])
    if (!locale.startsWith('en-')) expect(text, key).not.toBe(english.get(key))
  }
})
