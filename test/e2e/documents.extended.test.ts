import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningService, startService } from '../../scripts/lib/stack.mjs'
import { getNft } from '../../src/api/index.js'
import { createServerClient } from '../../src/server/index.js'
import { readCodeBlocks } from '../helpers/documents.js'
import { freshDataDir } from './helpers/dataDir.js'

const run = promisify(execFile)
const dataDir = freshDataDir('documents')
let running: RunningService
beforeAll(async () => {
  running = await startService({ dataDir })
})
afterAll(() => running?.stop())

/** Runs the shell of a document as it is written, but for the variables that it sets, and returns what it prints. */
const runBlock = async (document: string, settings: Record<string, string>): Promise<string> => {
  const [block] = readCodeBlocks(document).filter(({ language, mark }) => language === 'sh' && mark === '')
  const names = [...(block?.code ?? '').matchAll(/^(\w+)=\S*$/gm)].map(([, name]) => name)
  expect(names.sort()).toEqual(Object.keys(settings).sort())
  const code = block?.code.replace(/^\w+=\S*$/gm, '') ?? ''
  const { stdout } = await run('bash', ['-euc', code], { env: { ...process.env, ...settings } })
  return stdout
}

test('behavior: the commands of docs/minting.md mint the token they speak of', async () => {
  const baseUrl = `${running.serviceUrl}/api`
  const settings = { KEY: running.sandbox.serverKey, API: `${baseUrl}/2022-06-09` }
  const printed = await runBlock('docs/minting.md', settings)
  expect(printed).not.toContain('"error"')
  const client = createServerClient({ baseUrl, apiKey: running.sandbox.serverKey })
  const read = () => getNft(client, { collectionId: 'medals', nftId: 'gold-1' })
  await expect.poll(async () => (await read()).onChain.status).toBe('success')
  // Typed once more, nothing is made twice.
  expect(await runBlock('docs/minting.md', settings)).toContain('"status":"success"')
  expect((await read()).onChain).toMatchObject({ tokenId: expect.any(String), owner: expect.any(String) })
})
