import { expect, test } from 'vitest'
import { chooseLanguage } from '../../lib/language/chooseLanguage'
import { isLanguage, languages } from '../../lib/language/languages'

test('default: the language of the browser', () => {
  expect(chooseLanguage(undefined, 'de-DE,de;q=0.9,en;q=0.8')).toBe('de')
})

test('behavior: the choice of the visitor comes before the browser', () => {
  expect(chooseLanguage('ja', 'de-DE,de;q=0.9')).toBe('ja')
})

test.each([
  ['en;q=0.2, fr;q=0.9, it;q=0.5', 'fr'],
  ['fr;q=0, it', 'it'],
  ['it ; q=0.4 , ko ; q=0.6', 'ko'],
  ['xx, tlh;q=0.9, tr;q=0.1', 'tr'],
  ['kk, az;q=0.9, en;q=0.8', 'en'],
])('behavior: the weights of %j', (header, language) => {
  expect(chooseLanguage(undefined, header)).toBe(language)
})

test.each([
  ['de-AT', 'de'],
  ['DE-ch', 'de'],
  ['en-GB', 'en'],
  ['es-419', 'es'],
  ['fr-CA', 'fr'],
  ['pt-BR', 'pt'],
  ['uk-UA', 'uk'],
  ['zh', 'zh-CN'],
  ['zh-Hans', 'zh-CN'],
  ['zh-SG', 'zh-CN'],
  ['zh-Hant', 'zh-TW'],
  ['zh-TW', 'zh-TW'],
  ['zh-HK', 'zh-TW'],
  ['zh-Hant-MO', 'zh-TW'],
])('behavior: %s is read in %s', (tag, language) => {
  expect(chooseLanguage(undefined, tag)).toBe(language)
})

test.each([undefined, null, '', '*', 'tlh', 'xx-YY', ';q=1', 'de;q=zero', ',,,', '💥', 'a'.repeat(100_000)])(
  'behavior: English for %j',
  (header) => {
    expect(chooseLanguage(undefined, header)).toBe('en')
  },
)

test.each(['', 'DE', 'xx', 'toString', '__proto__', '../de', 'de; Path=/', '<script>'])(
  'error: a cookie of %j does not count',
  (cookie) => {
    expect(chooseLanguage(cookie, 'it')).toBe('it')
    expect(isLanguage(cookie)).toBe(false)
  },
)

test('behavior: every language calls itself by its own name', () => {
  const names = Object.entries(languages).filter(([tag]) => !tag.startsWith('zh'))
  for (const [tag, name] of names) {
    const known = new Intl.DisplayNames(tag, { type: 'language' }).of(tag)
    expect(name.toLocaleLowerCase(tag)).toBe(known?.toLocaleLowerCase(tag))
  }
})
