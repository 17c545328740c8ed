import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { removeStaleDrafts } from '../../scripts/lib/build.mjs'

test('behavior: drafts of processes that are gone are removed, and nothing else', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kassa-drafts-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  // No process has an id this high.
  const gone = 2 ** 30
  const kept = ['dist', 'dist.fine', `dist.${process.pid}`, 'src']
  for (const name of [...kept, `dist.${gone}`, `dist.${gone}.old`]) mkdirSync(join(folder, name))
  removeStaleDrafts(folder)
  expect(readdirSync(folder).sort()).toEqual(kept.sort())
})
