import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('behavior: what the site reads of the service is there', () => {
  const script = readFileSync('scripts/docs.mjs', 'utf8')
  const loaded = [...script.matchAll(/\bload\('([^']+)\.js'\)/g)].map(([, path = '']) => path)
  expect(loaded.length).toBeGreaterThan(1)
  expect(loaded.filter((path) => !existsSync(`service/src/${path}.ts`))).toEqual([])
})
