import { median } from '../lib/summary.mjs'
import { openVariant } from './openVariant.mjs'

/** @typedef {import('./variants/orders.js').Change} Change */

/**
 * What one change costs: the median time to the commit that shows it, and the components that render.
 * @typedef {{ ms: number, renders: number }} Cost
 */

const warmUps = 20
const passes = 6
const rounds = 10

/**
 * Measures variants side by side, a few changes of each in turn: what else the machine does befalls them all.
 * @param {import('playwright').Browser} browser
 * @param {readonly ReadonlyMap<string, string>[]} codes one page's for each variant
 * @param {number} count of line items
 * @param {Change} change
 * @returns {Promise<Cost[]>}
 */
export const measureVariants = async (browser, codes, count, change) => {
  const contenders = []
  for (const code of codes) {
    const page = await openVariant(browser, code, count)
    /** @param {number} times */
    const measure = async (times) => {
      await page.bringToFront()
      return page.evaluate(
        ([kind, number]) => window.updates.measure(kind, number),
        /** @type {const} */ ([change, times]),
      )
    }
    await measure(warmUps)
    contenders.push({ page, measure, times: /** @type {number[]} */ ([]) })
  }
  for (let pass = 0; pass < passes; pass += 1)
    for (const { measure, times } of contenders) times.push(...(await measure(rounds)))
  const costs = []
  for (const { page, times } of contenders) {
    const renders = await page.evaluate((kind) => window.updates.countRenders(kind), change)
    costs.push({ ms: median(times), renders })
    await page.close()
  }
  return costs
}
