import { createClient, getCollection, mintNft, waitForAction } from 'kassa/api'
import type { BrowserContext, Page } from 'playwright'
import { type Address, createPublicClient, erc721Abi, getAddress, http } from 'viem'
import { expect } from 'vitest'
import type { Stack } from '../../../scripts/lib/stack.mjs'
import { rpcUrlOf } from './chain.js'

const chain = 'base-sepolia'

/** A token of the shop's, by its contract and its id. */
export type MintedToken = { contract: Address; tokenId: bigint }

/**
 * Gives a token of the shop's first edition to a user.
 *
 * @param recipient - Such as `email:ada@example.com:base-sepolia`.
 */
export const mintTo = async (stack: Stack, recipient: string, name: string): Promise<MintedToken> => {
  const client = createClient({ baseUrl: `${stack.serviceUrl}/api`, apiKey: stack.sandbox.serverKey })
  const collectionId = 'dunes-at-dusk'
  const image = (await getCollection(client, { collectionId })).metadata?.imageUrl ?? ''
  const { actionId = '' } = await mintNft(client, {
    collectionId,
    body: { recipient, metadata: { name, image, description: 'A gift.' }, sendNotification: false },
  })
  const { data } = await waitForAction(client, { actionId, pollMs: 100 })
  const [contract, tokenId] = [data.collection?.contractAddress, data.token?.tokenId]
  if (!contract || tokenId === undefined) throw new Error(`nothing was minted: ${JSON.stringify(data)}`)
  return { contract: getAddress(contract), tokenId: BigInt(tokenId) }
}

/** Who owns a token, by the chain's own word. */
export const ownerOf = (stack: Stack, { contract, tokenId }: MintedToken): Promise<Address> =>
  createPublicClient({ transport: http(rpcUrlOf(stack, chain)) }).readContract({
    abi: erc721Abi,
    address: contract,
    functionName: 'ownerOf',
    args: [tokenId],
  })

/** What an address has on chain: undefined before anything stands there. */
export const codeAt = (stack: Stack, address: Address) =>
  createPublicClient({ transport: http(rpcUrlOf(stack, chain)) }).getCode({ address })

type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>

/** Who has signed in before, at which shop: one address is sent only a few links a minute. */
const known = new Map<string, Cookies>()

/** Signs in: by a link the first time, and after that by the session that it opened. */
export const signIn = async (
  page: Page,
  { storefrontUrl }: Pick<Stack, 'storefrontUrl'>,
  email: string,
): Promise<void> => {
  const key = `${storefrontUrl} ${email}`
  const cookies = known.get(key)
  if (cookies) await page.context().addCookies(cookies)
  else await followLink(page, storefrontUrl, email)
  await page.goto(`${storefrontUrl}/wallet`)
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  if (!cookies) known.set(key, await page.context().cookies())
}

/** Requests a sign-in link, reads it from the sandbox's mailbox, and follows it. */
const followLink = async (page: Page, storefrontUrl: string, email: string): Promise<void> => {
  await page.goto(`${storefrontUrl}/wallet`)
  await page.getByRole('textbox', { name: 'E-mail address' }).fill(email)
  await page.getByRole('button', { name: 'Send me a link' }).click()
  await page.getByText('A link is on its way to').waitFor()
  await page.goto(`${storefrontUrl}/sandbox/mails`)
  const mail = page.getByRole('navigation', { name: 'E-mails' }).getByRole('link', { name: email })
  await mail.first().click()
  await page.waitForURL(/\/mails\/./)
  const opened = page.context().waitForEvent('page')
  await page.frameLocator('iframe').getByRole('link', { name: 'Sign in' }).click()
  const tab = await opened
  await tab.getByRole('button', { name: 'Sign in' }).click()
  await tab.waitForURL(/\/wallet$/)
  await tab.close()
}

/** One of the wallets on the page, by its heading. */
export const wallet = (page: Page, name: 'Kept for you' | 'With your passkey') =>
  page.getByRole('region', { name })

/** A token in one of the wallets, by its name. */
export const token = (page: Page, of: Parameters<typeof wallet>[1], name: string) =>
  wallet(page, of).getByRole('article', { name })

/** The address of a wallet on the page, in full. */
export const addressOf = async (page: Page, of: Parameters<typeof wallet>[1]): Promise<Address> => {
  const text = await wallet(page, of).locator('[title^="0x"]').first().getAttribute('title')
  return getAddress(text ?? '')
}

/** Opens the window that sends a token, fills in where it goes, and ends at its confirmation. */
export const askToSend = async (
  page: Page,
  of: Parameters<typeof wallet>[1],
  name: string,
  to: string,
): Promise<void> => {
  await token(page, of, name).getByRole('button', { name: 'Send' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Send to' }).fill(to)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('heading', { name: 'Send it to this address?' }).waitFor()
}

/** Confirms, and ends when the page says that the token has gone. */
export const confirmSending = async (page: Page): Promise<void> => {
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Send it' }).click()
  await dialog.getByRole('heading', { name: 'Sent', exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
}

/** Holds a wallet on the page to it that a token is gone from it. */
export const expectGone = (page: Page, of: Parameters<typeof wallet>[1], name: string): Promise<void> =>
  expect.poll(() => token(page, of, name).count()).toBe(0)
