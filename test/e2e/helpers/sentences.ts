import { join } from 'node:path'
import type { Page } from 'playwright'
import { root } from '../../helpers/sources.js'

/** The storefront's sentences in one language, by group and key. */
type Sentences = Record<string, Record<string, string>>

/** Loads the storefront's sentences in a language. */
const loadSentences = async (language: string): Promise<Sentences> =>
  (await import(join(root, 'examples/next/messages', `${language}.ts`))).messages

/** Returns the pattern of a sentence as a page shows it, with anything in its gaps. */
export const toPattern = (sentence: string): RegExp => {
  const words = sentence
    .replace(/<\/?\w+>/g, '')
    .split(/\{[^{}]*\}/)
    .map((part) => part.replace(/[.*+?^$()[\]|\\/]/g, '\\$&'))
  return new RegExp(`^${words.join('.+')}$`)
}

/** Loads the patterns of the storefront's sentences in a language, by their names, such as `shop.claim`. */
export const loadPatterns = async (language: string): Promise<(name: string) => RegExp> => {
  const sentences = await loadSentences(language)
  return (name) => {
    const [group = '', key = ''] = name.split('.')
    const sentence = sentences[group]?.[key]
    if (sentence === undefined) throw new Error(`the storefront has no sentence ${name}`)
    return toPattern(sentence)
  }
}

/** Reads all that a page says: its texts, what is only read out, and what its title says. */
const readTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const blocks = 'p, h1, h2, h3, li, dt, dd, button, a, label, legend, summary, option'
    const texts = [...document.querySelectorAll<HTMLElement>('body, body *')]
      .filter((element) => !element.matches('script, style') && !element.closest('body [lang="en"]'))
      .flatMap((element) => [
        ...[...element.childNodes]
          .filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
          .map(({ textContent }) => textContent ?? ''),
        element.matches(blocks) ? (element.textContent ?? '') : '',
        ...['aria-label', 'placeholder', 'title', 'alt'].map((name) => element.getAttribute(name) ?? ''),
      ])
    return [...new Set([document.title, ...texts].map((text) => text.trim().replace(/\s+/g, ' ')))].filter(
      Boolean,
    )
  })

/**
 * Lists what a page says in English.
 *
 * @param language - The language that it should be in. Sentences that are the same in both do not count.
 */
export const listEnglish = async (page: Page, language: string): Promise<string[]> => {
  const [english, other, texts] = await Promise.all([
    loadSentences('en'),
    loadSentences(language),
    readTexts(page),
  ])
  const patterns = Object.entries(english).flatMap(([group, sentences]) =>
    Object.entries(sentences)
      // A plural has several forms, and a gap alone fits anything.
      .filter(
        ([key, sentence]) => other[group]?.[key] !== sentence && !/, plural,|^\{\w+\}\W*\{?/.test(sentence),
      )
      .map(([, sentence]) => toPattern(sentence)),
  )
  return texts.filter((text) => patterns.some((pattern) => pattern.test(text)))
}
