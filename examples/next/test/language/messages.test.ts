import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { IntlMessageFormat } from 'intl-messageformat'
import { describe, expect, test } from 'vitest'
import { languages } from '../../lib/language/languages'
import { messages as english } from '../../messages/en'
import type { Messages } from '../../messages/Messages'

const folder = join(import.meta.dirname, '../../messages')
const names = readdirSync(folder)
  .map((file) => file.replace(/\.ts$/, ''))
  .filter((name) => !['Messages', 'index'].includes(name))

const load = async (name: string): Promise<Messages> => (await import(`../../messages/${name}.ts`)).messages

const list = (messages: Messages): [key: string, sentence: string][] =>
  Object.entries(messages).flatMap(([group, sentences]) =>
    Object.entries(sentences).map(([key, sentence]): [string, string] => [`${group}.${key}`, sentence]),
  )

type Element = ReturnType<IntlMessageFormat['getAst']>[number]

/** Lists what a sentence has filled in, by name and kind. The words between are of no matter. */
const listGaps = (elements: Element[]): string[] =>
  elements.flatMap((element) => {
    switch (element.type) {
      case 0:
      case 7:
        return []
      case 5:
      case 6:
        return [
          `${element.value}:plural`,
          ...Object.values(element.options).flatMap(({ value }) => listGaps(value)),
        ]
      case 8:
        return [`<${element.value}>`, ...listGaps(element.children)]
      default:
        return [`${element.value}:${element.type}`]
    }
  })

/** Lists the plural forms of a sentence, each with its categories. */
const listPlurals = (elements: Element[]): string[][] =>
  elements.flatMap((element) => {
    if (element.type === 8) return listPlurals(element.children)
    if (element.type !== 6) return []
    const within = Object.values(element.options).flatMap(({ value }) => listPlurals(value))
    return [Object.keys(element.options), ...within]
  })

const parse = (sentence: string, name: string): Element[] => new IntlMessageFormat(sentence, name).getAst()
const getGaps = (sentence: string, name: string): string[] => [
  ...new Set(listGaps(parse(sentence, name)).toSorted()),
]

test('behavior: there is a catalogue of every language', () => {
  expect(names.toSorted()).toEqual(Object.keys(languages).toSorted())
})

describe.each(names)('%s', (name) => {
  test('behavior: has the sentences of English, with the same gaps', async () => {
    const sentences = list(await load(name))
    const expected = list(english)
    expect(sentences.map(([key]) => key)).toEqual(expected.map(([key]) => key))
    const gaps = (all: [string, string][]) =>
      Object.fromEntries(all.map(([key, sentence]) => [key, getGaps(sentence, name)]))
    expect(gaps(sentences)).toEqual(gaps(expected))
  })

  test('behavior: has a form for every whole number', async () => {
    const rules = new Intl.PluralRules(name)
    const needed = [...new Set(Array.from({ length: 201 }, (_, count) => rules.select(count)))]
    const lacking = list(await load(name)).filter(([, sentence]) =>
      listPlurals(parse(sentence, name)).some(
        (forms) => forms.length > 1 && needed.some((category) => !forms.includes(category)),
      ),
    )
    expect(lacking).toEqual([])
  })

  test('behavior: no sentence is empty, padded or quoted for a typewriter', async () => {
    // In ICU messages, the straight apostrophe hides what follows it.
    const wrong = list(await load(name)).filter(
      ([, sentence]) => sentence.trim() !== sentence || sentence === '' || /['"`]|\.\.\.| {2}/.test(sentence),
    )
    expect(wrong).toEqual([])
  })
})

test.each(names.filter((name) => name !== 'en'))(
  'behavior: no sentence of %s is left in English',
  async (name) => {
    const known = new Map(list(english))
    const left = list(await load(name)).filter(
      ([key, sentence]) => known.get(key) === sentence && sentence.split(' ').length > 3,
    )
    expect(left).toEqual([])
  },
)

test('behavior: English says “automatically”, as the guide to words does', () => {
  expect(list(english).filter(([, sentence]) => /by (?:itself|themselves)/.test(sentence))).toEqual([])
})
