import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../helpers/sources.js'

/** An empty data folder of one test file's own, beside the one of `npm start`; its logs stay for a look. */
export const freshDataDir = (name: string): string => {
  const dataDir = join(root, '.kassa/e2e', name)
  rmSync(dataDir, { recursive: true, force: true })
  return dataDir
}
