import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { createStamps } from '../../scripts/lib/stamps.mjs'

let folder: string
const proof = (): string => join(folder, 'index.js')
const build = (): void => writeFileSync(proof(), 'built')
const stamps = (): ReturnType<typeof createStamps> => createStamps(join(folder, 'build.json'))

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kassa-stamps-'))
  return () => rmSync(folder, { recursive: true })
})

test('default', () => {
  expect(stamps().isCurrent('library', 'a', proof())).toBe(false)
  build()
  expect(stamps().isCurrent('library', 'a', proof())).toBe(false)
  stamps().keep('library', 'a', proof())
  stamps().keep('service', 'b', proof())
  expect(stamps().isCurrent('library', 'a', proof())).toBe(true)
  expect(stamps().isCurrent('library', 'b', proof())).toBe(false)
})

test('behavior: a build that is gone, or that another command has replaced, is not current', () => {
  build()
  stamps().keep('library', 'a', proof())
  utimesSync(proof(), new Date(1), new Date(1))
  expect(stamps().isCurrent('library', 'a', proof())).toBe(false)
  rmSync(proof())
  expect(stamps().isCurrent('library', 'a', proof())).toBe(false)
})

test('error: a file that cannot be read counts as none', () => {
  build()
  writeFileSync(join(folder, 'build.json'), '{"library":')
  expect(stamps().isCurrent('library', 'a', proof())).toBe(false)
  stamps().keep('library', 'a', proof())
  expect(stamps().isCurrent('library', 'a', proof())).toBe(true)
})
