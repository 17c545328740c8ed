// Buys a token from the built service, with the Node that runs this, and prints what was delivered.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startService } from '../../../scripts/lib/stack.mjs'
import { buyToken } from '../buyToken.mjs'

const dataDir = mkdtempSync(join(tmpdir(), 'kassa-node-'))
const stack = await startService({ dataDir })
try {
  const { serviceUrl, sandbox } = stack
  const delivery = await buyToken({ serviceUrl, serverKey: sandbox.serverKey })
  console.log(JSON.stringify({ node: process.version, delivery }))
} catch (error) {
  console.error(stack.service.output())
  throw error
} finally {
  await stack.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
