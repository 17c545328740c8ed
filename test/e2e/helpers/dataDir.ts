import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { openSandbox, saveSandbox } from '../../../scripts/lib/sandbox.mjs'
import { root } from '../../helpers/sources.js'

/** Test files run side by side, and a service that restarts wants its port back: each worker has ports of its own. */
const firstPort = 20_000 + 400 * (Number(process.env.VITEST_POOL_ID ?? 1) % 8)

/** An empty data folder of one test file's own, beside the one of `npm start`; its logs stay for a look. */
export const freshDataDir = (name: string): string => {
  const dataDir = join(root, '.kassa/e2e', name)
  rmSync(dataDir, { recursive: true, force: true })
  const ports = { service: firstPort, storefront: firstPort + 200 }
  saveSandbox(dataDir, { ...openSandbox(dataDir), ports })
  return dataDir
}
