import type { Browser, Page } from 'playwright'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Stack, startStack } from '../../scripts/lib/stack.mjs'
import { expectAccessible } from './helpers/axe.js'
import { openBrowser, withBuyer } from './helpers/browser.js'
import { freshDataDir } from './helpers/dataDir.js'
import { addPasskeys, type Passkeys } from './helpers/passkeys.js'
import {
  addressOf,
  askToSend,
  codeAt,
  confirmSending,
  expectGone,
  mintTo,
  ownerOf,
  signIn,
  token,
} from './helpers/walletPage.js'

const dataDir = freshDataDir('passkey')
let stack: Stack
let browser: Browser
beforeAll(async () => {
  ;[stack, browser] = await Promise.all([startStack({ dataDir }), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await stack?.stop()
})

const own = 'With your passkey'
const kept = 'Kept for you'
const newAddress = () => privateKeyToAccount(generatePrivateKey()).address
const createButton = (page: Page) => page.getByRole('button', { name: 'Create a wallet with a passkey' })

type Visit = { page: Page; passkeys: Passkeys }

const visit = (email: string, work: (visit: Visit) => Promise<void>) =>
  withBuyer(browser, { dataDir, name: email }, async (page) => {
    const passkeys = await addPasskeys(page)
    await signIn(page, stack, email)
    await work({ page, passkeys })
  })

const createWallet = async (page: Page) => {
  await createButton(page).click()
  const address = await addressOf(page, own)
  await page.getByRole('region', { name: own }).getByText('Nothing here yet').waitFor()
  return address
}

test('default: a token is sent into a wallet with a passkey, and onward by that passkey', () =>
  visit('ada@example.com', async ({ page, passkeys }) => {
    const name = 'Gift for Ada'
    const address = await createWallet(page)
    expect(await passkeys.count()).toMatchObject({ passkeys: 1 })
    await expectAccessible(page)
    const gift = await mintTo(stack, 'email:ada@example.com:base-sepolia', name)
    await page.reload()
    await token(page, kept, name).getByRole('button', { name: 'Send' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'My passkey wallet' }).click()
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await confirmSending(page)
    expect(await ownerOf(stack, gift)).toBe(address)
    await expectGone(page, kept, name)
    // Nothing stands at the address until the wallet itself sends.
    expect(await codeAt(stack, address)).toBeUndefined()

    await token(page, own, name).waitFor()
    const recipient = newAddress()
    await askToSend(page, own, name, recipient)
    const { uses } = await passkeys.count()
    await confirmSending(page)
    expect((await passkeys.count()).uses).toBe(uses + 1)
    expect(await ownerOf(stack, gift)).toBe(recipient)
    expect(await codeAt(stack, address)).toBeDefined()
    await expectGone(page, own, name)
  }))

test('behavior: the wallet is there again after a reload, and sends a second time', () =>
  visit('grace@example.com', async ({ page }) => {
    const address = await createWallet(page)
    await page.reload()
    expect(await addressOf(page, own)).toBe(address)
    expect(await createButton(page).count()).toBe(0)
    for (const name of ['First', 'Second']) {
      const gift = await mintTo(stack, `base-sepolia:${address}`, name)
      await page.reload()
      await token(page, own, name).waitFor()
      const recipient = newAddress()
      await askToSend(page, own, name, recipient)
      await confirmSending(page)
      expect(await ownerOf(stack, gift)).toBe(recipient)
    }
  }))

test('error: transaction.rejected, and after a reload it can be approved after all', () =>
  visit('lin@example.com', async ({ page, passkeys }) => {
    const name = 'Gift for Lin'
    const address = await createWallet(page)
    const gift = await mintTo(stack, `base-sepolia:${address}`, name)
    await page.reload()
    const recipient = newAddress()
    await askToSend(page, own, name, recipient)
    await passkeys.setUserVerified(false)
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Send it' }).click()
    await dialog.getByRole('alert').filter({ hasText: 'Your passkey was not used' }).waitFor()
    await expectAccessible(page)
    expect(await ownerOf(stack, gift)).toBe(address)
    expect(await codeAt(stack, address)).toBeUndefined()
    await dialog.getByRole('button', { name: 'Try again' }).waitFor()

    await passkeys.setUserVerified(true)
    await page.reload()
    await token(page, own, name).getByRole('button', { name: 'Send' }).click()
    // The user sees what they sign.
    await dialog.getByText(recipient).waitFor()
    await dialog.getByRole('button', { name: 'Sign with your passkey' }).click()
    await dialog.getByRole('heading', { name: 'Sent', exact: true }).waitFor()
    expect(await ownerOf(stack, gift)).toBe(recipient)
  }))

test('error: passkey.rejected, and no wallet is made', () =>
  visit('eve@example.com', async ({ page, passkeys }) => {
    await passkeys.setUserVerified(false)
    await createButton(page).click()
    await page.getByRole('alert').filter({ hasText: 'Your passkey was not used' }).waitFor()
    expect(await passkeys.count()).toEqual({ passkeys: 0, uses: 0 })
    await page.reload()
    await createButton(page).waitFor()
  }))

test('error: api.unreachable, and trying again uses the passkey that was made', () =>
  visit('mary@example.com', async ({ page, passkeys }) => {
    const wallets = '**/api/wallet/2022-06-09/wallets'
    await page.route(wallets, (route) => route.abort())
    await createButton(page).click()
    await page.getByRole('alert').filter({ hasText: 'Your passkey is made' }).waitFor()
    expect(await passkeys.count()).toMatchObject({ passkeys: 1 })
    await page.unroute(wallets)
    await createWallet(page)
    expect(await passkeys.count()).toMatchObject({ passkeys: 1 })
  }))
