import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { build } from '../../scripts/lib/build.mjs'
import { readDelivered } from '../../scripts/lib/delivered.mjs'
import { pack } from '../../scripts/lib/pack.mjs'
import { orderIdOf } from '../../scripts/lib/shopper.mjs'
import { readSource } from '../helpers/sources.js'
import { openBrowser, withBuyer } from './helpers/browser.js'
import { freshDataDir } from './helpers/dataDir.js'
import { type Guide, readGuide } from './helpers/guide.js'
import { nextSkeleton, viteSkeleton } from './helpers/skeletons.js'
import { buildApp, createApp, isOwnFolder, runBin, startApp, typeGuide } from './helpers/strangersApp.js'

/** Other people's packages come over the network where npm has not kept them. */
const slow = 900_000

const dataDir = freshDataDir('packed')
const guides = { vite: readGuide('docs/vite.md'), next: readGuide('docs/nextjs.md') }
const patience = { timeout: 60_000 }
let home: string
let browser: Browser
let service: { url: string; serverKey: string; clientKey: string }
const running: { stop(): Promise<void> }[] = []

const folderOf = (name: string): string => join(home, name)

const start = async (...[folder, options]: Parameters<typeof startApp>) => {
  const program = await startApp(folder, options)
  running.push(program)
  return program
}

/** The sandbox, as the guide has it started: out of the Vite app's own packages. */
const startSandbox = async (): Promise<typeof service> => {
  const sandbox = await start(folderOf('vite'), {
    name: 'sandbox',
    script: 'kassa-service/dist/bin.js',
    args: ['sandbox'],
    from: 24_000,
    path: '/health',
  })
  const readKey = (kind: string) =>
    new RegExp(`${kind} key\\s+(\\S+)`).exec(readFileSync(sandbox.log, 'utf8'))?.[1] ?? ''
  await expect.poll(() => readKey('client'), patience).toMatch(/^ck_staging_/)
  return { url: sandbox.url, serverKey: readKey('server'), clientKey: readKey('client') }
}

beforeAll(async () => {
  await build(['library', 'service'])
  await Promise.all([pack('kassa'), pack('kassa-service')])
  home = mkdtempSync(join(tmpdir(), 'kassa-packed-'))
  for (const name of ['vite', 'next']) mkdirSync(folderOf(name))
  await createApp(folderOf('vite'), viteSkeleton, guides.vite.packages)
  // Its guide keeps the service in a folder of its own: here it is the other app's.
  const own = guides.next.packages.filter((name) => !name.endsWith('kassa-service.tgz'))
  await createApp(folderOf('next'), nextSkeleton, own)
  ;[service, browser] = [await startSandbox(), await openBrowser()]
}, slow)
afterAll(async () => {
  await browser?.close()
  await Promise.all(running.map((program) => program.stop()))
  if (home) rmSync(home, { recursive: true, force: true })
})

const open = async (name: 'vite' | 'next', guide: Guide, script: string, args: string[]) => {
  typeGuide(folderOf(name), guide, service)
  await buildApp(folderOf(name))
  return start(folderOf(name), { name, script, args, from: 25_000, path: '/' })
}

const payByTestWallet = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /^Pay \S*\d/ }).click(patience)
  await page.getByText('Delivered. Thank you').first().waitFor(patience)
}

/** The tokens of an order, with the owner that the chain itself names. */
const ownersOf = async (orderId: string): Promise<string[]> => {
  const delivered = await readDelivered({ serviceUrl: service.url, sandbox: service }, orderId)
  return delivered.map(({ owner }) => owner)
}

test('behavior: both packages are folders of the app’s own, and the service runs on the library beside it', async () => {
  for (const [app, name] of [
    ['vite', 'kassa'],
    ['vite', 'kassa-service'],
    ['next', 'kassa'],
  ] as const)
    expect([app, name, isOwnFolder(folderOf(app), name)]).toEqual([app, name, true])
  expect(() => isOwnFolder(folderOf('vite'), 'kassa-service/node_modules/kassa')).toThrow('ENOENT')
  const { version } = JSON.parse(readSource('service/package.json'))
  expect((await runBin(folderOf('vite'), 'kassa-service', '--version')).trim()).toBe(version)
})

test(
  'behavior: docs/vite.md, typed into a new app, sells an NFT',
  async () => {
    expect([...guides.vite.files.keys()]).toEqual(['.env.local', 'src/main.tsx', 'src/index.css'])
    const { url } = await open('vite', guides.vite, 'vite/bin/vite.js', ['preview', '--host', '127.0.0.1'])
    await withBuyer(browser, { dataDir, name: 'vite' }, async (page) => {
      await page.goto(url)
      await page.getByRole('button', { name: 'Connect Sandbox wallet' }).click(patience)
      const created = page.waitForResponse(
        (response) => response.request().method() === 'POST' && response.url().endsWith('/orders'),
        patience,
      )
      await page.getByRole('button', { name: /^Buy for/ }).click(patience)
      const { order } = await (await created).json()
      await page.getByRole('button', { name: /^Pay \S*\d/ }).waitFor(patience)
      await page.reload()
      await payByTestWallet(page)
      expect(await ownersOf(order.orderId)).toHaveLength(1)
    })
  },
  slow,
)

test(
  'behavior: docs/nextjs.md, typed into a new app, sells an NFT',
  async () => {
    expect(guides.next.files.size).toBeGreaterThan(4)
    const { url } = await open('next', guides.next, 'next/dist/bin/next', [
      'start',
      '--hostname',
      '127.0.0.1',
    ])
    const recipient = privateKeyToAddress(generatePrivateKey())
    await withBuyer(browser, { dataDir, name: 'next' }, async (page) => {
      await page.goto(url)
      await page.getByRole('button', { name: 'Buy' }).click(patience)
      await page.waitForURL(/\/checkout\//, patience)
      await page.getByRole('textbox').fill(recipient, patience)
      await page.getByRole('button', { name: 'Continue' }).click(patience)
      await page.getByRole('button', { name: /Sandbox wallet/ }).click(patience)
      await payByTestWallet(page)
      expect(await ownersOf(orderIdOf(page))).toEqual([recipient])
    })
  },
  slow,
)
