import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { isChangedSinceBase, readBase } from '../../scripts/lib/changes.mjs'

// Among the extended tests, because `npm test` needs no git.

let folder: string
/** A user's own settings would sign the commits, or have no name for them. */
const settings = { 'user.name': 'a', 'user.email': 'a@localhost', 'commit.gpgsign': 'false' }
const git = (...words: string[]): string => execFileSync('git', words, { cwd: folder, encoding: 'utf8' })
const write = (path: string, text: string): void => writeFileSync(join(folder, path), text)
const commit = (): void => {
  git('add', '--all')
  git('commit', '--quiet', '--message', 'a change')
}
const isChanged = (): boolean => isChangedSinceBase('shop', folder)

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kassa-changes-'))
  git('init', '--quiet', '--initial-branch', 'main')
  for (const [name, value] of Object.entries(settings)) git('config', name, value)
  mkdirSync(join(folder, 'shop'))
  write('shop/page.tsx', 'a page')
  write('.gitignore', 'built\n')
  commit()
  git('switch', '--quiet', '--create', 'next')
  return () => rmSync(folder, { recursive: true })
})

test('default', () => {
  expect(isChanged()).toBe(false)
  write('shop/page.tsx', 'another page')
  expect(isChanged()).toBe(true)
  commit()
  expect(isChanged()).toBe(true)
})

test('behavior: a new file and one that is gone are changes', () => {
  write('shop/new.tsx', 'a page')
  expect(isChanged()).toBe(true)
  rmSync(join(folder, 'shop/new.tsx'))
  rmSync(join(folder, 'shop/page.tsx'))
  expect(isChanged()).toBe(true)
})

test('behavior: what lies elsewhere, is ignored, or came to main since is no change', () => {
  write('elsewhere.ts', 'a file')
  write('shop/built', 'a page')
  expect(isChanged()).toBe(false)
  commit()
  const base = readBase(folder)
  git('switch', '--quiet', 'main')
  write('shop/page.tsx', 'a page of main')
  commit()
  git('switch', '--quiet', 'next')
  expect(readBase(folder)).toBe(base)
  expect(isChanged()).toBe(false)
})
