import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { areas } from '../../scripts/lib/stryker.mjs'
import { root } from '../helpers/sources.js'

/** Returns the paths that a pattern with one list in braces names. A `*` stands for the folder's files. */
const expand = (pattern: string): string[] => {
  const [, before = '', list = '', after = ''] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(pattern) ?? []
  const paths = list ? list.split(',').map((name) => `${before}${name}${after}`) : [pattern]
  return paths.map((path) => path.replace(/\/\*.*$/, ''))
}

test.each(Object.entries(areas))('default: the files that %s mutates and tests exist', (_, area) => {
  const paths = [...area.mutate, ...area.tests].flatMap(expand)
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
})
