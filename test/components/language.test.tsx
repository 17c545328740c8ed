import { composeStories, type composeStory } from '@storybook/react-vite'
import { act, render } from '@testing-library/react'
import { messages } from 'kassa/locales/en-US'
import { expect, test } from 'vitest'
import { loadLanguage, withLanguage } from '../../.storybook/language.js'

/** A language whose letters no English sentence has. */
const otherLocale = 'ja-JP'

/** What stands where a sentence has a name or a number; of these two, the form is known. */
const places: Record<string, string> = { '{amount}': '.*\\d.*', '{currency}': '[A-Z]{3,}' }

/** The English sentences of the parts. */
const sentences = Object.values(messages).map((sentence) => {
  const escaped = sentence.replace(/[.()?]/g, '\\$&')
  return new RegExp(`^${escaped.replace(/\{\w+\}/g, (place) => places[place] ?? '.+')}$`)
})

/** Everything that the parts in an element say: what is drawn, and what is only read out. */
const readTexts = (root: HTMLElement): string[] => {
  const elements = [...root.querySelectorAll('[data-kassa], [data-kassa] *')]
  const texts = elements.flatMap((element) => [
    ...[...element.childNodes]
      .filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
      .map(({ textContent }) => textContent ?? ''),
    ...['aria-label', 'placeholder', 'title', 'alt'].map((name) => element.getAttribute(name) ?? ''),
  ])
  return [...new Set(texts.map((text) => text.trim()))].filter(Boolean)
}

type ComposedStory = ReturnType<typeof composeStory>

/** The preview's own annotations would bring its documentation, which changes how every page gives the focus. */
const told = { initialGlobals: { locale: otherLocale }, loaders: [loadLanguage], decorators: [withLanguage] }

const files = import.meta.glob<Parameters<typeof composeStories>[0]>('../../stories/**/*.stories.tsx')

test('behavior: no part says an English sentence in another language', async () => {
  const problems: string[] = []
  let count = 0
  for (const [path, load] of Object.entries(files)) {
    const stories = composeStories(await load(), told)
    for (const [name, Story] of Object.entries<ComposedStory>(stories)) {
      // Other stories keep an English heading of their own, and one page shows the parts once more.
      if (!/^(parts|checkout-panel)-(?!all-parts)/.test(Story.id)) continue
      await Story.load()
      // The light panel loads some of its states later.
      const { container, unmount } = await act(async () => render(<Story />))
      const texts = readTexts(container)
      count += texts.length
      const english = texts.filter((text) => sentences.some((sentence) => sentence.test(text)))
      problems.push(...english.map((text) => `${path}, ${name}: “${text}”`))
      unmount()
    }
  }
  expect(count).toBeGreaterThan(1000)
  expect(problems).toEqual([])
})
