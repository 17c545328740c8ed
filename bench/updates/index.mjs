import { chromium } from 'playwright'
import { findBrowser } from '../../scripts/browser.mjs'
import { say } from '../../scripts/lib/steps.mjs'
import { bundlePage } from '../lib/bundlePage.mjs'
import { hydrogenPackage, installHydrogen } from './installHydrogen.mjs'
import { measureVariants } from './measureVariants.mjs'

/** @typedef {import('./variants/orders.js').Change} Change */
/** @typedef {import('../report/table.mjs').Table} Table */

const counts = [1, 10, 100, 1000]
/** @type {readonly Change[]} */
const changes = ['field', 'fresh']

/** @param {string} file */
const pageOf = (file) => new URL(`./variants/${file}`, import.meta.url)

const hydrogen = 'hydrogen-react cart'

const variants = [
  { name: 'kassa', page: pageOf('ours.tsx') },
  { name: 'the floor: a store that wakes one leaf', page: pageOf('floor.tsx') },
]

const words = {
  field: {
    title: 'One field of one line item changes: milliseconds to its commit / components rendered',
    note: `${hydrogenPackage}: time until the optimistic cart is rendered; its renders include those of the shop’s answer.`,
  },
  fresh: {
    title: 'A new order arrives, in which one field differs',
    note: `${hydrogenPackage}: time from the shop’s answer until its cart is rendered.`,
  },
}

/** @param {import('./measureVariants.mjs').Cost} cost */
const formatCost = ({ ms, renders }) => `${ms.toFixed(2)} / ${renders.toLocaleString('en-US')}`

/** The bench's name. */
export const name = 'updates'

/**
 * Measures how long one changed field takes to the screen, and what renders for it, beside other ways to do it.
 * @returns {Promise<Table[]>}
 */
export const run = async () => {
  const page = await installHydrogen()
  const all = page ? [...variants, { name: hydrogen, page }] : variants
  const codes = []
  for (const variant of all) codes.push(await bundlePage(variant.page))
  const options = findBrowser()
  const browser = await chromium.launch({ ...options, args: [...options.args, '--js-flags=--expose-gc'] })
  try {
    const tables = []
    for (const change of changes) {
      const rows = all.map((variant) => [variant.name])
      for (const count of counts) {
        say(`updates: ${change}, ${count} line items`)
        const costs = await measureVariants(browser, codes, count, change)
        costs.forEach((cost, index) => {
          rows[index]?.push(formatCost(cost))
        })
      }
      if (!page) rows.push([hydrogen, ...counts.map(() => 'not on npm')])
      tables.push({
        title: words[change].title,
        head: ['line items', ...counts.map(String)],
        rows,
        notes: [
          'Each list item has five leaves. Medians of 60 changes, after 20 to warm up. The variants take turns, each after a garbage collection.',
          words[change].note,
        ],
      })
    }
    return tables
  } finally {
    await browser.close()
  }
}
