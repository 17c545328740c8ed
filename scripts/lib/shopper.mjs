/**
 * A buyer at the storefront, who finds everything by what a person sees: headings, labels and buttons.
 * @typedef {import('playwright').Page} Page
 */

const patience = { timeout: 60_000 }

/**
 * @param {Page} page
 * @param {string} storefrontUrl
 */
export const openShop = async (page, storefrontUrl) => {
  await page.goto(storefrontUrl)
  await page.getByRole('heading', { name: 'Editions', exact: true }).waitFor(patience)
}

/**
 * Opens an edition by its name, or the first one.
 * @param {Page} page
 * @param {string} [name]
 */
export const chooseEdition = async (page, name) => {
  const editions = page.getByRole('article').getByRole('link', name === undefined ? {} : { name })
  await editions.first().click()
  await page.getByRole('button', { name: /^Buy for/ }).waitFor(patience)
}

/**
 * Buys one of the edition, and ends at its checkout.
 * @param {Page} page
 * @param {string} [currency]
 */
export const buy = async (page, currency) => {
  if (currency !== undefined)
    await page.getByRole('radio', { name: new RegExp(`^${currency}\\b`, 'i') }).check()
  await page.getByRole('button', { name: /^Buy for/ }).click()
  await page.waitForURL(/\/checkout\//, patience)
  await page.getByRole('heading', { name: 'Checkout', exact: true }).waitFor(patience)
}

/** @param {Page} page */
export const orderIdOf = (page) => new URL(page.url()).pathname.split('/').at(-1) ?? ''

/** @param {Page} page */
export const payButton = (page) => page.getByRole('button', { name: /^Pay \S*\d/ })

/** @param {Page} page */
export const confirmation = (page) => page.getByRole('dialog', { name: 'Confirm payment' })

/** @param {Page} page */
export const connectDemoWallet = async (page) => {
  await page.getByRole('button', { name: /^Demo wallet/ }).click()
  await payButton(page).waitFor(patience)
}

/**
 * Presses pay, and ends at the demo wallet's question.
 * @param {Page} page
 */
export const pay = async (page) => {
  await payButton(page).click()
  await confirmation(page).waitFor(patience)
}

/** @param {Page} page */
export const confirm = async (page) => {
  await confirmation(page).getByRole('button', { name: 'Confirm' }).click()
  await page
    .getByRole('heading', { name: /Your payment is sent|On its way to you|has arrived/ })
    .waitFor(patience)
}

/** @param {Page} page */
export const decline = (page) => confirmation(page).getByRole('button', { name: 'Decline' }).click()

/** @param {Page} page */
export const waitForReceipt = (page) => page.getByRole('heading', { name: /arrived/ }).waitFor(patience)
