import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { findLocale, LocaleTag } from '../../src/schema/localeTag.js'

const messageOf = (tag: unknown): string | undefined =>
  z
    .safeParse(LocaleTag, tag)
    .error?.issues.map(({ message }) => message)
    .join()

describe('LocaleTag', () => {
  // Most are examples of RFC 5646, appendix A.
  test.each([
    'de',
    'tlh',
    'EN-us',
    'zh-Hant-HK',
    'zh-cmn-Hans-CN',
    'sl-rozaj-biske',
    'de-CH-1901',
    'es-419',
    'hy-Latn-IT-arevela',
    'de-DE-u-co-phonebk',
    'en-US-u-islamcal-x-shop',
    'x-whatever',
    'i-klingon',
    'sgn-BE-FR',
  ])('parameters: %s', (tag) => {
    expect(z.parse(LocaleTag, tag)).toBe(tag)
  })

  test.each([
    '',
    'e',
    'en_US',
    'en-',
    '-en',
    'en--US',
    'a-DE',
    'de-419-DE',
    'en-US-u',
    'en-x',
    'en-US\n',
    'English!',
  ])('error: %j', (tag) => {
    expect(messageOf(tag)).toBe('expected a BCP 47 language tag such as "en-US"')
  })

  test('error: a tag of more than 100 characters', () => {
    const tag = `de-x-${'abcdefgh-'.repeat(10)}shops`
    expect(messageOf(tag)).toBe(undefined)
    expect(messageOf(`${tag}s`)).toBe('expected 100 characters or fewer')
  })
})

describe('findLocale', () => {
  test.each([
    ['fr-FR', 'fr-FR'],
    ['FR-fr', 'fr-FR'],
    ['fr', 'fr-FR'],
    ['pt-BR', 'pt-PT'],
    ['zh', 'zh-CN'],
    ['zh-Hans-HK', 'zh-CN'],
    ['zh-yue-HK', 'zh-TW'],
    ['zh-Hant', 'zh-TW'],
    ['fil-PH', 'en-US'],
    ['', 'en-US'],
    ['__proto__', 'en-US'],
  ])('parameters: %j', (tag, locale) => {
    expect(findLocale(tag)).toBe(locale)
  })
})
