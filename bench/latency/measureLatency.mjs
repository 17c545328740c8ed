import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { findBrowser } from '../../scripts/browser.mjs'
import { endSignal } from '../../scripts/lib/endSignal.mjs'
import { stateDir } from '../../scripts/lib/paths.mjs'
import { startStack } from '../../scripts/lib/stack.mjs'
import { say } from '../../scripts/lib/steps.mjs'
import { patienceMs } from '../../scripts/lib/waitFor.mjs'
import { findNode } from './findNode.mjs'
import { measurePurchase } from './measurePurchase.mjs'
import { watchChain } from './watchChain.mjs'

/**
 * @typedef {import('./measurePurchase.mjs').Latency} Latency
 * @typedef {import('../../scripts/lib/stack.mjs').Stack} Stack
 */

const dataDir = join(stateDir, 'bench/latency')

/**
 * @param {Stack} stack
 * @param {import('playwright').Browser} browser
 * @param {number} count
 */
const purchaseAll = async (stack, browser, count) => {
  const chain = await watchChain(await findNode(stack, dataDir, 'base-sepolia'))
  const purchases = []
  try {
    for (let index = 0; index < count; index++) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
      context.setDefaultTimeout(patienceMs)
      const page = await context.newPage()
      const { kassa, peer } = await measurePurchase(page, { stack, chain, shareOfPace: index / count })
      await context.close()
      purchases.push({ kassa, peer })
      say(`  ${index + 1} of ${count}: ${Math.round(kassa.paidMs)} ms, ${Math.round(kassa.deliveredMs)} ms`)
    }
  } finally {
    await chain.stop()
  }
  return purchases
}

/**
 * Has buyers buy one after the other in one browser, each with a profile of their own.
 * @param {number} count
 */
export const measureLatency = async (count) => {
  rmSync(dataDir, { recursive: true, force: true })
  const stack = await startStack({ dataDir, signal: endSignal() })
  try {
    const browser = await chromium.launch(findBrowser())
    return await purchaseAll(stack, browser, count).finally(() => browser.close())
  } finally {
    await stack.stop()
  }
}
