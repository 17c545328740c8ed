import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createOrder, createServerClient, orderCookie } from 'kassa/server'
import { findBrowser } from '../../scripts/browser.mjs'
import { endSignal } from '../../scripts/lib/endSignal.mjs'
import { npmCommand } from '../../scripts/lib/packages.mjs'
import { stateDir } from '../../scripts/lib/paths.mjs'
import { startStack } from '../../scripts/lib/stack.mjs'
import { say } from '../../scripts/lib/steps.mjs'
import { waitForQuiet } from './waitForQuiet.mjs'

/**
 * What Lighthouse found on one visit. The scores are of 100.
 * @typedef {{
 *   performance: number, accessibility: number,
 *   fcpMs: number, lcpMs: number, tbtMs: number, cls: number, bytes: number,
 *   busy: number,
 * }} Visit
 */

// Downloaded when this bench runs: no other part of the repository needs its two hundred packages.
const lighthouse = 'lighthouse@12.8.2'

/** What the pages are visited on, how Lighthouse is told so, and how the figures come about. */
const devices = [
  {
    device: 'phone',
    flags: [],
    method:
      'Lighthouse computes what a phone on a slow 4G network and with a quarter of the speed would take, from a visit at full speed. For the largest paint it counts each script that arrived before the first paint. With the service on the same machine these are most of them in some visits and few in others.',
  },
  {
    device: 'slowed-down phone',
    flags: ['--throttling-method=devtools'],
    method:
      'Chromium itself slows down the network and the processor as much, and the paints are the ones that were seen.',
  },
  {
    device: 'desktop',
    flags: ['--preset=desktop'],
    method:
      'Lighthouse computes what a desktop on a 10 Mbit/s network would take, from a visit at full speed.',
  },
]

const dataDir = join(stateDir, 'bench/lighthouse')
const headersFile = join(dataDir, 'headers.json')
const reportFile = join(dataDir, 'report.json')

/**
 * Creates an order and has Lighthouse visit as the browser that may open it.
 * @param {import('../../scripts/lib/stack.mjs').Stack} stack
 * @returns {Promise<string>} the order's id
 */
const openOrder = async ({ serviceUrl, sandbox }) => {
  const client = createServerClient({ baseUrl: `${serviceUrl}/api`, apiKey: sandbox.serverKey })
  const { order, clientSecret } = await createOrder(client, {
    body: {
      recipient: { email: 'ada@example.com' },
      payment: { method: 'base-sepolia', currency: 'eth' },
      lineItems: [{ collectionLocator: 'kassa:dunes-at-dusk' }],
    },
  })
  const cookie = orderCookie({ orderId: order.orderId, clientSecret }, { isSecure: false })
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(headersFile, JSON.stringify({ Cookie: `${cookie.name}=${cookie.value}` }), { mode: 0o600 })
  return order.orderId
}

/**
 * @param {string} url
 * @param {string[]} flags
 * @returns {Promise<void>}
 */
const runLighthouse = (url, flags) =>
  new Promise((resolve, reject) => {
    const browser = findBrowser()
    const { command, first, shell } = npmCommand()
    const common = [
      '--quiet',
      '--output=json',
      `--output-path=${reportFile}`,
      '--only-categories=performance,accessibility',
      `--extra-headers=${headersFile}`,
      `--chrome-flags=${['--headless=new', ...browser.args].join(' ')}`,
    ]
    const args = [...first, 'exec', '--yes', `--package=${lighthouse}`, '--', 'lighthouse', url, ...flags]
    const child = spawn(command, [...args, ...common], {
      shell,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...browser.env, CHROME_PATH: browser.executablePath },
    })
    let problem = ''
    child.stderr.on('data', (chunk) => {
      problem += chunk
    })
    child.on('error', reject)
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`Lighthouse ended with status ${code}:\n${problem}`)),
    )
  })

/**
 * @param {string} url
 * @param {string[]} flags
 * @returns {Promise<Visit>}
 */
const visit = async (url, flags) => {
  const busy = await waitForQuiet()
  await runLighthouse(url, flags)
  const { audits, categories, runtimeError } = JSON.parse(readFileSync(reportFile, 'utf8'))
  if (runtimeError) throw new Error(`Lighthouse could not measure ${url}: ${runtimeError.message}`)
  const read = (/** @type {string} */ name) => audits[name].numericValue
  return {
    performance: Math.round(categories.performance.score * 100),
    accessibility: Math.round(categories.accessibility.score * 100),
    fcpMs: read('first-contentful-paint'),
    lcpMs: read('largest-contentful-paint'),
    tbtMs: read('total-blocking-time'),
    cls: read('cumulative-layout-shift'),
    bytes: read('total-byte-weight'),
    busy,
  }
}

/**
 * Has Lighthouse visit the storefront's pages one after the other.
 * @param {number} count how often each
 */
export const measurePages = async (count) => {
  rmSync(dataDir, { recursive: true, force: true })
  const stack = await startStack({ dataDir, signal: endSignal() })
  try {
    const orderId = await openOrder(stack)
    const paths = {
      home: '/',
      product: '/editions/dunes-at-dusk',
      checkout: `/checkout/${orderId}`,
      panel: `/checkout/${orderId}/panel`,
    }
    const visited = []
    for (const { device, flags, method } of devices) {
      const pages = []
      for (const [page, path] of Object.entries(paths)) {
        const visits = []
        for (let index = 0; index < count; index++) {
          visits.push(await visit(`${stack.storefrontUrl}${path}`, flags))
          say(`  ${device}, ${page}: ${visits.at(-1)?.performance}`)
        }
        pages.push({ page, visits })
      }
      visited.push({ device, method, pages })
    }
    return visited
  } finally {
    await stack.stop()
  }
}
