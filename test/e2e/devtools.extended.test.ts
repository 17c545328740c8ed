import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../helpers/sources.js'

/** What the browser may download of the built storefront. */
const built = join(root, 'examples/next/.next/static')

test('behavior: the built storefront has the checkout and nothing of its devtools', async () => {
  const files = await readdir(built, { recursive: true })
  const scripts = files
    .filter((file) => file.endsWith('.js'))
    .map((file) => readFileSync(join(built, file), 'utf8'))
  expect(scripts.filter((script) => script.includes('data-kassa'))).not.toEqual([])
  expect(scripts.filter((script) => script.includes('kassa-devtools'))).toEqual([])
})
