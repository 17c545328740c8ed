import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { messages as english } from '../../src/locales/en-US.js'
import { loadMessages, type Messages } from '../../src/locales/index.js'
import { type Locale, members } from '../../src/schema/index.js'
import { readSource } from '../helpers/sources.js'

const all = await Promise.all(
  members.locales.map(async (locale) => [locale, await loadMessages(locale)] as [Locale, Messages]),
)
const translations = all.filter(([locale]) => locale !== 'en-US')
const keys = Object.keys(english) as (keyof Messages)[]

test('default', () => {
  const modules = readdirSync('src/locales').filter((file) => /^[a-z]{2}-[A-Z]{2}\.ts$/.test(file))
  expect(modules).toEqual([...members.locales].sort().map((locale) => `${locale}.ts`))
  expect(all.map(([, messages]) => messages.locale)).toEqual(members.locales)
  const [list = ''] = /in one of these languages: [^.]*/.exec(readSource('docs/languages.md')) ?? []
  expect([...list.matchAll(/`([\w-]+)`/g)].map(([, tag]) => tag)).toEqual([...members.locales].sort())
})

test.each(['', 'xx', 'deu', 'constructor', '__proto__'])(
  'behavior: a language that is not there speaks English: %s',
  async (locale) => {
    expect(await loadMessages(locale)).toBe(english)
  },
)

const placesIn = (sentence: string): string => (sentence.match(/\{\w*\}/g) ?? []).sort().join()
const isSound = (sentence: string): boolean =>
  sentence.trim() === sentence && !/['"]|\.\.\.|\s{2}/.test(sentence)

describe.each(all)('%s', (_, messages) => {
  test('behavior: says all that English says, and nothing else', () => {
    expect(Object.keys(messages).sort()).toEqual([...keys].sort())
    expect(keys.filter((key) => !/\p{L}/u.test(messages[key]))).toEqual([])
    expect(keys.filter((key) => !isSound(messages[key]))).toEqual([])
  })

  test('behavior: fills in what English fills in', () => {
    expect(keys.map((key) => [key, placesIn(messages[key])])).toEqual(
      keys.map((key) => [key, placesIn(english[key])]),
    )
  })
})

// The words that are the same in both languages, by the dictionary.
const sameWords: { [Name in Locale]?: (keyof Messages)[] } = {
  'de-DE': ['optional'],
  'es-ES': ['subtotal', 'total'],
  'fr-FR': ['total'],
  'pt-PT': ['subtotal', 'total', 'email'],
}

test.each(translations)('behavior: nothing was left in English: %s', (locale, messages) => {
  expect(keys.filter((key) => messages[key] === english[key])).toEqual(sameWords[locale] ?? [])
})

// What a buyer decides by: whether money is still where it was, or went nowhere.
const facts: { [Name in Locale]: { nothingSent: string; nothingPaid: string } } = {
  'en-US': { nothingSent: 'Nothing was sent.', nothingPaid: 'Nothing was paid.' },
  'es-ES': { nothingSent: 'No se ha enviado nada.', nothingPaid: 'No se ha pagado nada.' },
  'fr-FR': { nothingSent: 'Rien n’a été envoyé.', nothingPaid: 'Rien n’a été payé.' },
  'it-IT': { nothingSent: 'Non è stato inviato nulla.', nothingPaid: 'Non è stato pagato nulla.' },
  'ko-KR': { nothingSent: '전송된 것은 없습니다.', nothingPaid: '지불된 것은 없습니다.' },
  'pt-PT': { nothingSent: 'Nada foi enviado.', nothingPaid: 'Nada foi pago.' },
  'ja-JP': { nothingSent: '何も送信されていません。', nothingPaid: '何も支払われていません。' },
  'zh-CN': { nothingSent: '未发送任何款项。', nothingPaid: '未支付任何款项。' },
  'zh-TW': { nothingSent: '未送出任何款項。', nothingPaid: '未支付任何款項。' },
  'de-DE': { nothingSent: 'Es wurde nichts gesendet.', nothingPaid: 'Es wurde nichts bezahlt.' },
  'ru-RU': { nothingSent: 'Ничего не отправлено.', nothingPaid: 'Ничего не оплачено.' },
  'tr-TR': { nothingSent: 'Hiçbir şey gönderilmedi.', nothingPaid: 'Hiçbir şey ödenmedi.' },
  'uk-UA': { nothingSent: 'Нічого не надіслано.', nothingPaid: 'Нічого не сплачено.' },
  'th-TH': { nothingSent: 'ยังไม่ได้ส่งเงิน', nothingPaid: 'ยังไม่ได้ชำระเงิน' },
  'vi-VN': { nothingSent: 'Chưa gửi gì cả.', nothingPaid: 'Chưa trả gì cả.' },
}

test.each(all)(
  'behavior: what became of the money is said the same way each time: %s',
  (locale, messages) => {
    const { nothingSent, nothingPaid } = facts[locale]
    const saying = (fact: string) => keys.filter((key) => key !== 'notPaid' && messages[key].includes(fact))
    expect(saying(nothingSent)).toEqual([
      'wrongPayment',
      'notPossible',
      'rejected',
      'wouldRevert',
      'chainUnavailable',
    ])
    expect(saying(nothingPaid)).toEqual(['cancelled', 'tooLate', 'notSponsored'])
  },
)

describe('behavior: each language keeps its own typography', () => {
  const findIn = (locale: Locale, pattern: RegExp): string[] =>
    all.flatMap(([name, messages]) =>
      name === locale ? Object.values(messages).filter((sentence) => pattern.test(sentence)) : [],
    )

  test('fr-FR: no line breaks before tall punctuation', () => {
    expect(findIn('fr-FR', /(?<!\u202f)[;!?]|(?<!\u00a0):/)).toEqual([])
    expect(findIn('fr-FR', /\u202f[;!?]|\u00a0:/)).not.toEqual([])
  })
  test('es-ES: questions open as they close', () => {
    expect(findIn('es-ES', /^(?!¿).*\?/)).toEqual([])
    expect(findIn('es-ES', /\?/)).not.toEqual([])
  })
  test.each(['ja-JP', 'zh-CN', 'zh-TW'] as const)('%s: full-width punctuation', (locale) => {
    expect(findIn(locale, /[,.;:!?()]/)).toEqual([])
  })
  test('th-TH: no full stops', () => {
    expect(findIn('th-TH', /[.?]/)).toEqual([])
  })
})
