import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright'
import { expect } from 'vitest'
import { settle } from './settle.js'

// The one that the stories are checked with, too.
const storybook = createRequire(createRequire(import.meta.url).resolve('@storybook/addon-a11y/package.json'))
const source = readFileSync(storybook.resolve('axe-core/axe.min.js'), 'utf8')

type Axe = {
  run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>
}

const options = { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }

/** Holds a page to WCAG 2.2 AA, as far as a program can tell. */
export const expectAccessible = async (page: Page): Promise<void> => {
  await settle(page)
  await page.evaluate(source)
  const found = await page.evaluate(async (given) => {
    const { violations } = await (Reflect.get(window, 'axe') as Axe).run(given)
    return violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])
  }, options)
  expect(found).toEqual([])
}
