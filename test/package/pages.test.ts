import { expect, test } from 'vitest'
import { growBy, pages } from '../../bench/size/pages.mjs'

/** The first part of a page's name, and what of this package the page must not load at once. */
const later: Record<string, RegExp> = {
  hooks: /^dist\/(components\/checkout|locales|pay\/evm|chain\/evm\/check)/,
  'six parts':
    /^dist\/(components\/checkout\/(forms|transfer|wallet\/Wallets|payment\/PaymentOptions)|pay\/evm)/,
  '`CheckoutPanel`':
    /^dist\/(components\/checkout\/(forms\/(useOrderForm|Field)|transfer|progress\/(Receipt|Progress))|pay\/evm)/,
  '`Checkout.Panel`': /^dist\/pay\/evm/,
}

/** What prepares, prices and signs transactions in viem, which a page with a wallet does without. */
const signing = /node_modules\/viem\/.*\/(actions\/wallet|prepareTransactionRequest)/

// esbuild, because it is the bundler that separates least: `npm run size` holds the budgets of all.
test('default: what a page loads at once, and what it does not', async () => {
  const { growths } = await growBy('esbuild')
  expect(growths).toHaveLength(Object.keys(later).length)
  for (const [at, { name, budgets }] of pages.entries()) {
    const growth = growths[at]
    const [, pattern] = Object.entries(later).find(([start]) => name.startsWith(start)) ?? []
    if (!growth || !pattern) throw new Error(`nothing is known of ${name}`)
    const loaded = growth.modules.map(([path]) => path)
    expect(loaded, name).toContain('dist/hooks/usePayOrder.js')
    expect(
      loaded.filter((path) => pattern.test(path) || signing.test(path)),
      name,
    ).toEqual([])
    expect(growth.atOnce, name).toBeLessThanOrEqual(budgets.esbuild)
    // Less than nine tenths of its budget: the budget is to follow.
    expect(growth.atOnce, name).toBeGreaterThan(budgets.esbuild * 0.9)
  }
})
