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
      'Minified, including this package and zod, without react, react-dom, @tanstack/react-query, wagmi and viem, which the app already has. Both bundlers split code as in an app. The larger result counts.',
      '“later” loads after the first paint: the payment engine while the buyer looks at the price, and the table of known tokens when the page shows a choice of them. A page that pays loads both.',
      'Rolldown, Vite’s bundler, drops the parts of `Checkout` that an app does not render. esbuild keeps all parts.',
      `The optional \`kassa/theme.css\`: ${kB(compress(readFileSync(join(root, 'src/theme.css'))))}.`,
    ],
  },
  {
    title: 'Other packages, measured earlier with the same settings',
    head: ['package', 'brotli 11'],
    rows: peers,
    notes: ['Measured once. This run does not install these packages.'],
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
