import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Returns an unused file path in a folder that is deleted after the test. */
export const temporaryFile = (name: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'recto-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, name)
}
