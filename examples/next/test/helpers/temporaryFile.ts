import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** The path of a file that is not there yet, in a folder that is gone after the test. */
export const temporaryFile = (name: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'recto-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, name)
}
