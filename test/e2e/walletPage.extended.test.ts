import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright'
import { getAddress, type Hex, recoverTypedDataAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as shopper from '../../scripts/lib/shopper.mjs'
import { type Stack, startStack } from '../../scripts/lib/stack.mjs'
import { expectAccessible } from './helpers/axe.js'
import { openBrowser, withBuyer } from './helpers/browser.js'
import { freshDataDir } from './helpers/dataDir.js'
import { expectFocus, pressAt, tabTo } from './helpers/keyboard.js'
import { expectLargeTargets, expectNoSidewaysScroll } from './helpers/looks.js'
import {
  addressOf,
  askToSend,
  confirmSending,
  expectGone,
  type MintedToken,
  mintTo,
  ownerOf,
  signIn,
  token,
  wallet,
} from './helpers/walletPage.js'
import { withChainAway } from './helpers/withChainAway.js'

const dataDir = freshDataDir('walletPage')
let stack: Stack
let browser: Browser
beforeAll(async () => {
  ;[stack, browser] = await Promise.all([startStack({ dataDir }), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await stack?.stop()
})

const newAddress = () => privateKeyToAccount(generatePrivateKey()).address
const kept = 'Kept for you'

/** Does something as a visitor, and fails if the page complained of anything. */
const visit = (name: string, work: (page: Page) => Promise<void>) =>
  withBuyer(browser, { dataDir, name }, async (page) => {
    const complaints: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
        complaints.push(message.text())
    })
    await work(page)
    expect(complaints).toEqual([])
  })

const expectSound = async (page: Page): Promise<void> => {
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await expectLargeTargets(page)
}

/** Downloads the credential that is shown, and checks it by code that did not issue it, nor show it. */
const readDownload = async (page: Page) => {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('dialog').getByRole('button', { name: 'Download as JSON' }).click(),
  ])
  const { proof, ...claims } = JSON.parse(readFileSync(await download.path(), 'utf8'))
  const { proofValue, eip712, ...rest } = proof
  const signer = await recoverTypedDataAddress({
    ...eip712,
    message: { ...claims, proof: rest },
    signature: proofValue as Hex,
  })
  return { signer, claims }
}

test('default: bought by e-mail, seen, proved, and sent on', () =>
  visit('default', async (page) => {
    const email = 'ada@example.com'
    await signIn(page, stack, email)
    await page.getByText('Nothing here yet').first().waitFor()

    await shopper.openShop(page, stack.storefrontUrl)
    await shopper.chooseEdition(page, 'Dunes at Dusk')
    await shopper.buy(page, 'eth')
    await shopper.connectDemoWallet(page)
    await page.getByRole('radio', { name: /^To an e-mail address/ }).check()
    await page.getByRole('textbox', { name: 'E-mail address' }).fill('Ada@Example.com')
    await page.getByRole('button', { name: 'Use this address' }).click()
    await shopper.pay(page)
    await shopper.confirm(page)
    await shopper.waitForReceipt(page)
    await page.getByRole('link', { name: /^See it in the wallet of ada@example\.com$/i }).click()

    const name = 'Dunes at Dusk'
    await token(page, kept, name).waitFor()
    const owner = await addressOf(page, kept)

    await token(page, kept, name).getByRole('button', { name: 'Credential' }).click()
    await page.getByRole('dialog').getByText('Valid', { exact: true }).waitFor()
    const { signer, claims } = await readDownload(page)
    expect(claims.issuer.id).toMatch(new RegExp(`:${signer}$`))
    expect(claims.credentialSubject.id).toMatch(new RegExp(`:${owner}$`))
    const { contractAddress, tokenId } = claims.nft
    const bought: MintedToken = { contract: getAddress(contractAddress), tokenId: BigInt(tokenId) }
    expect(await ownerOf(stack, bought)).toBe(owner)
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()

    const recipient = newAddress()
    await askToSend(page, kept, name, recipient)
    expect(await ownerOf(stack, bought)).toBe(owner)
    await confirmSending(page)
    expect(await ownerOf(stack, bought)).toBe(recipient)
    await expectGone(page, kept, name)
  }))

describe('an answer that is lost', () => {
  const email = 'mary@example.com'

  test.each([
    ['at once', 'Try again', async () => {}],
    [
      'after the window was closed',
      'Go on',
      async (page: Page) => {
        await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
        await token(page, kept, 'after the window was closed').getByRole('button', { name: 'Send' }).click()
      },
    ],
  ])('behavior: sent once, though it was asked for twice: %s', (name, again, meanwhile) =>
    visit('lost', async (page) => {
      const gift = await mintTo(stack, `email:${email}:base-sepolia`, name)
      await signIn(page, stack, email)
      const recipient = newAddress()
      await askToSend(page, kept, name, recipient)
      const transactions = /\/api\/wallet\/.*\/transactions$/
      await page.route(transactions, async (route) => {
        await route.fetch()
        await route.abort()
      })
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Send it' }).click()
      await dialog.getByRole('alert').filter({ hasText: 'it is not known whether' }).waitFor()
      await expectAccessible(page)
      await page.unroute(transactions)
      await meanwhile(page)
      await dialog.getByRole('heading', { name: 'Was it sent?' }).waitFor()
      await dialog.getByRole('button', { name: again }).click()
      // A second transaction would be turned down: the token has gone.
      await dialog.getByRole('heading', { name: 'Sent', exact: true }).waitFor()
      expect(await ownerOf(stack, gift)).toBe(recipient)
    }),
  )
})

describe('with a token', () => {
  const email = 'grace@example.com'
  const name = 'Gift for Grace'
  let gift: MintedToken
  beforeAll(async () => {
    gift = await mintTo(stack, `email:${email}:base-sepolia`, name)
  })

  const open = async (page: Page): Promise<void> => {
    await signIn(page, stack, email)
    await token(page, kept, name).waitFor()
  }

  test.each(
    [360, 768, 1280].flatMap((width) =>
      (['light', 'dark'] as const).map((scheme) => [width, scheme] as const),
    ),
  )('parameters: %i pixels, %s', (width, scheme) =>
    visit(`${width}-${scheme}`, async (page) => {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme: scheme })
      await page.goto(`${stack.storefrontUrl}/wallet`)
      await expectSound(page)
      await open(page)
      await expectSound(page)
      await askToSend(page, kept, name, newAddress())
      await expectSound(page)
      await page.keyboard.press('Escape')
      await token(page, kept, name).getByRole('button', { name: 'Credential' }).click()
      await page.getByRole('dialog').getByText('Valid', { exact: true }).waitFor()
      await expectSound(page)
    }),
  )

  test('behavior: by the keyboard alone, and the focus is never lost', () =>
    visit('keyboard', async (page) => {
      await open(page)
      const send = token(page, kept, name).getByRole('button', { name: 'Send' })
      await pressAt(page, send)
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('textbox', { name: 'Send to' }).waitFor()
      await page.keyboard.type(newAddress())
      await page.keyboard.press('Enter')
      await expectFocus(page, dialog.getByRole('heading', { name: 'Send it to this address?' }))
      await tabTo(page, dialog.getByRole('button', { name: 'Back' }))
      await page.keyboard.press('Enter')
      await expectFocus(page, dialog.getByRole('textbox', { name: 'Send to' }))
      await page.keyboard.press('Escape')
      await expectFocus(page, send)
    }))

  test.each([
    ['an address with a slip in it', '0xf39fd6e51aad88F6F4ce6aB8827279cffFb92266', /checksum/],
    ['half an address', '0xf39F', /begins with 0x/],
    ['nothing', '', /Enter the address/],
  ])('error: %s is not sent to', (_, text, fault) =>
    visit('fault', async (page) => {
      await open(page)
      await token(page, kept, name).getByRole('button', { name: 'Send' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('textbox', { name: 'Send to' }).fill(text)
      await dialog.getByRole('button', { name: 'Continue' }).click()
      await dialog.getByRole('alert').filter({ hasText: fault }).waitFor()
    }),
  )

  test('error: neither a signed-out visitor nor another user receives anything', () =>
    visit('stranger', async (page) => {
      const url = `${stack.storefrontUrl}/api/wallet/2022-06-09/wallets`
      const ask = async (locator: string) =>
        (await page.request.get(`${url}/${encodeURIComponent(locator)}`)).status()
      expect(await ask('me:evm-mpc-wallet')).toBe(401)
      const token = encodeURIComponent(`base-sepolia:${gift.contract}:${gift.tokenId}`)
      const credential = `${stack.storefrontUrl}/api/wallet/v1-alpha1/nfts/${token}/credentials`
      expect((await page.request.get(credential)).status()).toBe(401)
      await signIn(page, stack, 'eve@example.com')
      expect(await wallet(page, kept).getByRole('article').count()).toBe(0)
      expect(await ask(`email:${email}:evm-mpc-wallet`)).toBe(400)
      expect(await ask('me:evm-mpc-wallet')).toBe(404)
      expect((await page.request.get(credential)).status()).toBe(404)
    }))

  test('error: a script in the page cannot have the wallet do more than this page does', () =>
    visit('script', async (page) => {
      await open(page)
      const owner = await addressOf(page, kept)
      const status = await page.evaluate(
        async ([contract, operator]) => {
          const inputs = [
            { name: 'operator', type: 'address' },
            { name: 'approved', type: 'bool' },
          ]
          const abi = [
            {
              type: 'function',
              name: 'setApprovalForAll',
              stateMutability: 'nonpayable',
              inputs,
              outputs: [],
            },
          ]
          const call = {
            address: contract,
            functionName: 'setApprovalForAll',
            abi,
            args: [operator, true],
          }
          const response = await fetch('/api/wallet/2022-06-09/wallets/me:evm-mpc-wallet/transactions', {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ params: { call, chain: 'base-sepolia' } }),
          })
          return response.status
        },
        [gift.contract, newAddress()],
      )
      expect(status).toBe(403)
      expect(await ownerOf(stack, gift)).toBe(owner)
    }))
})

test('error: a network is away, and what is in the wallet there comes back with it', () =>
  visit('chain-away', async (page) => {
    await signIn(page, stack, 'grace@example.com')
    await withChainAway(dataDir, 'base-sepolia', async () => {
      await page.reload()
      const alert = page.getByRole('alert').filter({ hasText: 'Base Sepolia cannot be reached' })
      await alert.waitFor()
      await expectSound(page)
    })
    await page.getByRole('button', { name: 'Try again' }).click()
    await token(page, kept, 'Gift for Grace').waitFor()
  }))

test('behavior: signing out closes the wallet, and a cookie that was made up opens none', () =>
  visit('session', async (page) => {
    await signIn(page, stack, 'lin@example.com')
    const [cookie] = (await page.context().cookies()).filter(({ name }) => name.includes('session'))
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Send me a link' }).waitFor()
    const [payload = '', signature] = (cookie?.value ?? '').split('.')
    const claim = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const forged = Buffer.from(JSON.stringify({ ...claim, email: 'grace@example.com' })).toString('base64url')
    if (!cookie) throw new Error('there is no cookie')
    await page.context().addCookies([{ ...cookie, value: `${forged}.${signature}` }])
    await page.reload()
    await page.getByRole('button', { name: 'Send me a link' }).waitFor()
  }))

test('behavior: signing in takes no JavaScript, so a click that comes before it counts', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  try {
    await signIn(await context.newPage(), stack, 'early@example.com')
  } finally {
    await context.close()
  }
})

test('error: an address is not sent more than a few links a minute', () =>
  visit('often', async (page) => {
    const ask = async () => {
      await page.goto(`${stack.storefrontUrl}/wallet`)
      await page.getByRole('textbox', { name: 'E-mail address' }).fill('often@example.com')
      await page.getByRole('button', { name: 'Send me a link' }).click()
    }
    for (const _ of [1, 2, 3]) {
      await ask()
      await page.getByText('A link is on its way to').waitFor()
    }
    await ask()
    await page.getByRole('alert').filter({ hasText: 'Several links were asked for' }).waitFor()
  }))

test('error: a link that was used, or made up', () =>
  visit('link', async (page) => {
    await page.goto(`${stack.storefrontUrl}/wallet/sign-in?token=made.up`)
    await page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor()
    await expectSound(page)
  }))

test('error: the service is away', () =>
  visit('away', async (page) => {
    await signIn(page, stack, 'grace@example.com')
    await stack.service.stop()
    await page.reload()
    await page.getByRole('alert').filter({ hasText: 'Your wallet cannot be reached' }).waitFor()
    await expectSound(page)
  }))
