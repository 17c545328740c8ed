import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from '../../scripts/lib/build.mjs'
import { root } from '../../scripts/lib/paths.mjs'
import { budgets } from './budgets.mjs'
import { compress, measure } from './measure.mjs'
import { pages, weighPages } from './pages.mjs'

export const name = 'size'

/** @param {number} bytes */
const kB = (bytes) => `${(bytes / 1000).toFixed(2)} kB`

/**
 * What was weighed: imports beside the packages that an app has anyway, and whole pages.
 * @typedef {{ name: string, bytes: number, budget: number | undefined, row: string[] }} Finding
 * @typedef {{ imports: Finding[], pages: Awaited<ReturnType<typeof weighPages>> }} Findings
 */

const weighImports = async () => {
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

/**
 * Bundles what an app would import, and pages with and without it.
 * @returns {Promise<Findings>}
 */
export const weigh = async () => {
  await build(['library'])
  return { imports: await weighImports(), pages: await weighPages() }
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

/**
 * A row for each page: what it loads more than the page without Kassa with each bundler, at once and later.
 * @param {Findings['pages']} findings
 */
const tabulatePages = (findings) => [
  ['the page without Kassa', ...findings.map(({ without }) => kB(without.atOnce)), ''],
  ...pages.map(({ name }, at) => [
    name,
    ...findings.map(({ growths }) => `+${kB(growths[at]?.atOnce ?? 0)}`),
    findings.map(({ growths }) => kB(growths[at]?.later ?? 0)).join(', '),
  ]),
]

/** @param {Findings} findings */
export const tabulate = ({ imports, pages: weighed }) => [
  {
    title: 'What a whole page grows by (brotli 11)',
    head: ['page', ...weighed.map(({ bundler }) => bundler), 'later'],
    rows: tabulatePages(weighed),
    notes: [
      'Minified, with everything in it: React, wagmi, viem and TanStack Query too. The page without Kassa connects a wallet by wagmi, and reads and writes by TanStack Query. What it does not use of them is counted for Kassa.',
      '“later” is what the page may ask for after the first paint, with each bundler in the order of the columns: most of it is the payment engine, with what it needs of viem, which loads while the buyer looks at the price.',
      '`kassa/parts` has the parts of `Checkout` one by one. esbuild keeps every part of `Checkout`, also those that an app does not render; webpack and Rolldown drop them. The panel of `kassa/panel` loads its forms, receipt, progress and transfer after its first paint.',
      'esbuild loads at once what is used of viem’s index later, because wagmi’s own index leads there: about 6 kB, of which parsing a transaction and the errors of contracts are almost half. webpack loads the same modules as Rolldown, and needs 4 kB more for them.',
      '`npm run size -- --modules` lists of which modules each growth consists.',
    ],
  },
  {
    title: 'What an import weighs by itself (brotli 11)',
    head: ['import', 'esbuild', 'Rolldown', 'counts', 'budget', 'later'],
    rows: imports.map(({ row }) => row),
    notes: [
      'Minified, including this package and zod, without react, react-dom, @tanstack/react-query, wagmi and viem. Both bundlers split code as in an app. The larger result counts.',
      '“later” loads after the first paint: the payment engine while the buyer looks at the price, and the table of known tokens when the page shows a choice of them. A page that pays loads both.',
      `The optional \`kassa/theme.css\`: ${kB(compress(readFileSync(join(root, 'src/theme.css'))))}.`,
    ],
  },
  {
    title: 'Other packages, measured earlier with the same settings',
    head: ['package', 'brotli 11'],
    rows: peers,
    notes: ['Measured once, as an import by itself. This run does not install these packages.'],
  },
]

/**
 * The modules that a page loads at once for Kassa, the largest first. Only esbuild counts them minified.
 * @param {Findings} findings
 */
export const tabulateModules = ({ pages: weighed }) =>
  weighed.flatMap(({ bundler, growths }) =>
    pages.map(({ name }, at) => ({
      title: `${bundler}: ${name}`,
      head: ['module', 'bytes'],
      rows: (growths[at]?.modules ?? []).slice(0, 40).map(([path, bytes]) => [path, String(bytes)]),
    })),
  )

/** @param {Findings} findings */
const listExcesses = ({ imports, pages: weighed }) => [
  ...imports
    .filter(({ bytes, budget = bytes }) => bytes > budget)
    .map(({ name, bytes, budget }) => `${name} weighs ${bytes} bytes, more than its budget of ${budget}.`),
  ...weighed.flatMap(({ bundler, growths }) =>
    pages.flatMap(({ name, budgets }, at) => {
      const bytes = growths[at]?.atOnce ?? 0
      return bytes > budgets[bundler]
        ? `A page with ${name} grows by ${bytes} bytes with ${bundler}, more than its budget of ${budgets[bundler]}.`
        : []
    }),
  ),
]

/**
 * Fails when something has passed its budget.
 * @param {Findings} [findings]
 */
export const checkBudgets = async (findings) => {
  const excesses = listExcesses(findings ?? (await weigh()))
  if (excesses.length > 0) throw new Error(excesses.join('\n'))
}

export const run = async () => tabulate(await weigh())
