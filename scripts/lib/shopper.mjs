/**
 * A buyer at the storefront, who finds everything by what a person sees: headings, labels and buttons. Every wait lasts
 * as long as the default timeout of the page.
 * @typedef {import('playwright').Page} Page
 */

const sent = /Your payment is sent|On its way to you|ha(s|ve) arrived/

/**
 * @param {Page} page
 * @param {string} storefrontUrl
 */
export const openShop = async (page, storefrontUrl) => {
  await page.goto(storefrontUrl)
  await page.getByRole('heading', { name: 'Editions', exact: true }).waitFor()
}

/**
 * Opens an edition by its name, or the first one.
 * @param {Page} page
 * @param {string} [name]
 */
export const chooseEdition = async (page, name) => {
  const editions = page.getByRole('article').getByRole('link', name === undefined ? {} : { name })
  await editions.first().click()
  await page.getByRole('button', { name: /^Buy for/ }).waitFor()
}

/**
 * Buys one of the edition, and ends at its checkout.
 * @param {Page} page
 * @param {string} [currency] with its network if it is not the edition's own, such as `usdc on Solana`
 */
export const buy = async (page, currency) => {
  await page.getByRole('button', { name: /^Buy for/ }).click()
  await page.waitForURL(/\/checkout\//)
  await page.getByRole('heading', { name: 'Checkout', exact: true }).waitFor()
  if (currency === undefined) return
  // The edition's own network comes first.
  const options = page.getByRole('radio', { name: new RegExp(`^${currency}\\b`, 'i') })
  await options.first().check()
}

/** @param {Page} page */
export const orderIdOf = (page) => new URL(page.url()).pathname.split('/').at(-1) ?? ''

/** @param {Page} page */
export const payButton = (page) => page.getByRole('button', { name: /^Pay \S*\d/ })

/**
 * Gets a new price if this one has run out.
 * @param {Page} page
 */
export const renewIfExpired = async (page) => {
  const renew = page.getByRole('button', { name: 'Get a new price' })
  await payButton(page).or(renew).first().waitFor()
  if (await renew.isVisible()) await renew.click()
}

/**
 * Presses pay, after getting a new price if this one has run out.
 * @param {Page} page
 */
export const payOrRenew = async (page) => {
  await renewIfExpired(page)
  await payButton(page).click()
}

/** @param {Page} page */
export const confirmation = (page) => page.getByRole('dialog', { name: 'Confirm payment' })

/**
 * Chooses a wallet by its name.
 * @param {Page} page
 * @param {string} name
 */
export const connectWallet = async (page, name) => {
  await page.getByRole('button', { name: new RegExp(`^${name}`) }).click()
  await payButton(page).waitFor()
}

/** @param {Page} page */
export const connectDemoWallet = (page) => connectWallet(page, 'Demo wallet')

/**
 * Presses pay, and ends at the demo wallet's question.
 * @param {Page} page
 */
export const pay = async (page) => {
  await payButton(page).click()
  await confirmation(page).waitFor()
}

/** @param {Page} page */
export const confirm = async (page) => {
  await confirmation(page).getByRole('button', { name: 'Confirm' }).click()
  await waitForSent(page)
}

/**
 * Waits until the page says that the payment is on its way.
 * @param {Page} page
 */
export const waitForSent = (page) => page.getByRole('heading', { name: sent }).waitFor()

/**
 * Waits until the page says that a payment is, or may be, on its way.
 * @param {Page} page
 */
export const waitForSentOrDoubt = (page) =>
  page.getByRole('heading', { name: sent }).or(doubt(page)).first().waitFor()

/**
 * The page's texts while it is uncertain whether the wallet has paid.
 * @param {Page} page
 */
export const doubt = (page) => page.getByRole('alert').filter({ hasText: 'Check your wallet first' })

/**
 * Has the wallet asked again, after it was asked and gave no answer.
 * @param {Page} page
 */
export const payAgain = (page) => page.getByRole('button', { name: /pay again/i }).click()

/** @param {Page} page */
export const decline = (page) => confirmation(page).getByRole('button', { name: 'Decline' }).click()

/** @param {Page} page */
export const waitForReceipt = (page) => page.getByRole('heading', { name: /arrived/ }).waitFor()
