import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { build } from '../../scripts/lib/build.mjs'
import { pack } from '../../scripts/lib/pack.mjs'
import { orderIdOf } from '../../scripts/lib/shopper.mjs'
import { readSource } from '../helpers/sources.js'
import { openBrowser, withBuyer } from './helpers/browser.js'
import { freshDataDir } from './helpers/dataDir.js'
import { findCommand, readGuide } from './helpers/guide.js'
import {
  buyByTestWallet,
  listOwners,
  payByTestWallet,
  type Service,
  startGuidesSandbox,
} from './helpers/guidesSandbox.js'
import { nextSkeleton } from './helpers/nextSkeleton.js'
import { createApp, isOwnFolder, runBin, runScript, startApp, typeGuide } from './helpers/strangersApp.js'
import { viteSkeleton } from './helpers/viteSkeleton.js'

/** Other people's packages come over the network where npm has not kept them. */
const _slow = 900_000

const dataDir = freshDataDir('packed')
const guides = { vite: readGuide('docs/vite.md'), next: readGuide('docs/nextjs.md') }
const programs = { vite: 'vite/bin/vite.js', next: 'next/dist/bin/next' }

type Name = keyof typeof guides

let home: string
let browser: Browser
const running: { stop(): Promise<void> }[] = []

const folderOf = (name: Name): string => join(home, name)

const start = async (...[folder, options]: Parameters<typeof startApp>) => {
  const program = await startApp(folder, options)
  running.push(program)
  return program
}

const startSandbox = async (name: Name) => {
  const { service, program } = await startGuidesSandbox(folderOf(name), guides[name])
  running.push(program)
  return service
}

beforeAll(async () => {
  await build(['library', 'service'])
  await Promise.all([pack('kassa'), pack('kassa-service')])
  home = mkdtempSync(join(tmpdir(), 'kassa-packed-'))
  for (const name of ['vite', 'next'] as const) mkdirSync(folderOf(name))
  await Promise.all([
    createApp(folderOf('vite'), viteSkeleton, guides.vite),
    createApp(folderOf('next'), nextSkeleton, guides.next),
  ])
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await Promise.all(running.map((program) => program.stop()))
  if (home) rmSync(home, { recursive: true, force: true })
})

/** An app as one of its scripts runs it: what was built, or the development server. */
const serve = (name: Name, command: 'preview' | 'start' | 'dev', from = 25_000) => {
  const args = [command, name === 'vite' ? '--host' : '--hostname', '127.0.0.1']
  return start(folderOf(name), { name: command, script: programs[name], args, from, path: '/' })
}

test('behavior: both packages are folders of the app’s own, and the service runs on the library beside it', async () => {
  const { version } = JSON.parse(readSource('service/package.json'))
  for (const app of ['vite', 'next'] as const) {
    for (const name of ['kassa', 'kassa-service'])
      expect([app, name, isOwnFolder(folderOf(app), name)]).toEqual([app, name, true])
    expect(() => isOwnFolder(folderOf(app), 'kassa-service/node_modules/kassa')).toThrow('ENOENT')
    expect((await runBin(folderOf(app), 'kassa-service', '--version')).trim()).toBe(version)
  }
})

test('behavior: docs/vite.md, typed into a new app, sells an NFT', async () => {
  const { vite: guide } = guides
  expect([...guide.files.keys()]).toEqual(['.env.local', 'src/main.tsx', 'src/index.css'])
  const service = await startSandbox('vite')
  typeGuide(folderOf('vite'), guide, service)
  await runScript(folderOf('vite'), 'build')
  for (const command of ['preview', 'dev'] as const) {
    const { url, stop } = await serve('vite', command)
    await withBuyer(browser, { dataDir, name: `vite-${command}` }, async (page) => {
      await page.goto(url)
      await page.getByRole('button', { name: 'Connect Sandbox wallet' }).click()
      expect(await listOwners(service, await buyByTestWallet(page))).toHaveLength(1)
    })
    await stop()
  }
})

/** Buys at the shop of docs/nextjs.md as the guide describes, for a separate recipient. */
const buyAtNext = async (service: Service, url: string, name: string): Promise<string> => {
  const recipient = privateKeyToAddress(generatePrivateKey())
  let orderId = ''
  await withBuyer(browser, { dataDir, name }, async (page) => {
    await page.goto(url)
    await page.getByText(/^0\.012 ETH$/).waitFor()
    await page.waitForFunction(() => document.images[0]?.complete && document.images[0].naturalWidth > 0)
    await page.getByRole('button', { name: 'Buy' }).click()
    await page.waitForURL(/\/checkout\//)
    await page.getByRole('textbox').fill(recipient)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: /Sandbox wallet/ }).click()
    await payByTestWallet(page)
    orderId = orderIdOf(page)
    expect(await listOwners(service, orderId)).toEqual([recipient])
  })
  return orderId
}

test('behavior: docs/nextjs.md, typed into a new app, sells an NFT and hears that it is delivered', async () => {
  const { next: guide } = guides
  const folder = folderOf('next')
  expect(guide.files.size).toBeGreaterThan(4)
  const service = await startSandbox('next')
  typeGuide(folder, guide, service)
  await runScript(folder, 'lint')
  await runScript(folder, 'build')
  const built = await serve('next', 'start')
  await buyAtNext(service, built.url, 'next-start')

  const create = findCommand(guide, 'npx kassa-service webhooks create')
  const [, ...command] = create.replace('http://localhost:3000', built.url).split(' ')
  const [secret] = /whsec_\S+/.exec(await runBin(folder, ...command)) ?? []
  expect(secret).toBeDefined()
  appendFileSync(join(folder, '.env.local'), `KASSA_WEBHOOK_SECRET=${secret}\n`)
  await built.stop()
  const { url, log } = await serve('next', 'start', Number(new URL(built.url).port))
  expect(url).toBe(built.url)
  const orderId = await buyAtNext(service, url, 'next-told')
  await expect.poll(() => readFileSync(log, 'utf8')).toContain(`${orderId} is delivered`)
})
