import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from '../../scripts/lib/build.mjs'
import { root } from '../../scripts/lib/paths.mjs'
import { budgets } from './budgets.mjs'
import { compress, measure } from './measure.mjs'

export const name = 'size'

/** @param {number} bytes */
const kB = (bytes) => `${(bytes / 1000).toFixed(2)} kB`

/**
 * Bundles what an app would import, and holds it against its budget.
 * @returns {Promise<{ name: string, bytes: number, budget: number | undefined, row: string[] }[]>}
 */
export const weigh = async () => {
  await build(['library'])
  const findings = []
  for (const { name, code, budget } of budgets) {
    const { esbuild, rolldown, larger } = await measure(code)
    const row = [
      name,
      kB(esbuild.atOnce),
      kB(rolldown.atOnce),
      kB(larger.atOnce),
      budget === undefined ? '' : kB(budget),
      larger.later === 0 ? '' : kB(larger.later),
    ]
    findings.push({ name, bytes: larger.atOnce, budget, row })
  }
  return findings
}

/** Others, weighed once with the same settings; installing them takes longer than measuring everything else. */
const peers = [
  ['Shopify cart hooks', '7.0 kB'],
  ['a vendor’s hook around its own iframe', '17 kB'],
  ['Relay hooks', '21.7 kB'],
  ['OnchainKit checkout', '96 to 108 kB'],
  ['Base pay', '115 kB'],
  ['thirdweb checkout widget', '201 to 329 kB'],
  ['Daimo Pay', '436 kB'],
]

/** @param {Awaited<ReturnType<typeof weigh>>} findings */
export const tabulate = (findings) => [
  {
    title: 'What a page downloads (brotli 11)',
    head: ['import', 'esbuild', 'Rolldown', 'counts', 'budget', 'later'],
    rows: findings.map(({ row }) => row),
    notes: [
      'Minified, with everything of this package and of zod; react, react-dom, @tanstack/react-query, wagmi and viem are the app’s own. The larger of two bundlers counts, each with code splitting as apps have it.',
      '“later” is loaded by itself when it is needed, and is not in the way of the first paint: what checks, signs and follows a payment comes while the buyer looks at the price, the table of known tokens where a choice of them is shown. A page that pays has both in the end.',
      'Rolldown, which Vite builds with, drops the parts of `Checkout` that an app does not render. esbuild keeps all parts.',
      `The optional \`kassa/theme.css\`: ${kB(compress(readFileSync(join(root, 'src/theme.css'))))}.`,
    ],
  },
  {
    title: 'Others, weighed the same way before',
    head: ['package', 'brotli 11'],
    rows: peers,
    notes: ['Figures taken once, earlier: this run does not install these packages.'],
  },
]

/**
 * Fails when something has passed its budget.
 * @param {Awaited<ReturnType<typeof weigh>>} [findings]
 */
export const checkBudgets = async (findings) => {
  const passed = (findings ?? (await weigh())).filter(({ bytes, budget = bytes }) => bytes > budget)
  if (passed.length > 0)
    throw new Error(
      passed
        .map(({ name, bytes, budget }) => `${name} weighs ${bytes} bytes, more than its budget of ${budget}.`)
        .join('\n'),
    )
}

export const run = async () => tabulate(await weigh())
