import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { build } from '../../scripts/lib/build.mjs'
import { pack } from '../../scripts/lib/pack.mjs'
import { openBrowser, withBuyer } from './helpers/browser.js'
import { freshDataDir } from './helpers/dataDir.js'
import { readGuide } from './helpers/guide.js'
import { buyByTestWallet, listOwners, startGuidesSandbox } from './helpers/guidesSandbox.js'
import { createApp, runScript, startApp, typeGuide } from './helpers/strangersApp.js'
import { viteSkeleton } from './helpers/viteSkeleton.js'

/** RainbowKit and the wallets of wagmi 2 are 700 MB, which come over the network where npm has not kept them. */
const _slow = 900_000

const guide = readGuide('docs/rainbowkit.md')
const skeleton = { ...viteSkeleton, versions: { '@rainbow-me/rainbowkit': '2.2.11', wagmi: '2.19.5' } }
const dataDir = freshDataDir('rainbowkit')
const running: { stop(): Promise<void> }[] = []
let folder: string
let browser: Browser

beforeAll(async () => {
  await build(['library', 'service'])
  await Promise.all([pack('kassa'), pack('kassa-service')])
  folder = mkdtempSync(join(tmpdir(), 'kassa-rainbowkit-'))
  await createApp(folder, skeleton, guide)
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await Promise.all(running.map((program) => program.stop()))
  if (folder) rmSync(folder, { recursive: true, force: true })
})

test('behavior: docs/rainbowkit.md, typed into a new app, sells an NFT to who connected through RainbowKit', async () => {
  expect([...guide.files.keys()]).toEqual(['.env.local', 'src/main.tsx'])
  const { version } = JSON.parse(readFileSync(join(folder, 'node_modules/wagmi/package.json'), 'utf8'))
  expect(version).toBe(skeleton.versions.wagmi)
  const { service, program } = await startGuidesSandbox(folder, guide)
  running.push(program)
  typeGuide(folder, guide, service)
  await runScript(folder, 'build')
  const shop = await startApp(folder, {
    name: 'preview',
    script: 'vite/bin/vite.js',
    args: ['preview', '--host', '127.0.0.1'],
    from: 25_000,
    path: '/',
  })
  running.push(shop)
  await withBuyer(browser, { dataDir, name: 'rainbowkit' }, async (page) => {
    await page.goto(shop.url)
    await page.getByRole('button', { name: 'Connect Wallet' }).click()
    await page.getByRole('button', { name: 'Sandbox wallet' }).click()
    expect(await listOwners(service, await buyByTestWallet(page))).toHaveLength(1)
  })
})
