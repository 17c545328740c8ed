import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { createStamps, removeStaleDrafts } from '../../scripts/lib/build.mjs'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kassa-build-'))
  return () => rmSync(folder, { recursive: true })
})

describe('removeStaleDrafts', () => {
  test('behavior: drafts of processes that are gone are removed, and nothing else', () => {
    // No process has an id this high.
    const gone = 2 ** 30
    const kept = ['dist', 'dist.fine', `dist.${process.pid}`, 'src']
    for (const name of [...kept, `dist.${gone}`, `dist.${gone}.old`]) mkdirSync(join(folder, name))
    removeStaleDrafts(folder)
    expect(readdirSync(folder).sort()).toEqual(kept.sort())
  })
})

describe('createStamps', () => {
  const proof = (): string => join(folder, 'index.js')
  const build = (): void => writeFileSync(proof(), 'built')
  const stamps = (): ReturnType<typeof createStamps> => createStamps(join(folder, 'build.json'))

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

  test('error: a file of stamps that cannot be read is written anew', () => {
    build()
    writeFileSync(join(folder, 'build.json'), '{"library":')
    expect(stamps().isCurrent('library', 'a', proof())).toBe(false)
    stamps().keep('library', 'a', proof())
    expect(stamps().isCurrent('library', 'a', proof())).toBe(true)
  })
})
