import { createWalletHandler } from 'kassa/server'
import { createClient } from '../../src/api/index.js'
import type { Wallet, WalletType } from '../../src/schema/index.js'
import type { CreateWalletHandlerParameters } from '../../src/server/createWalletHandler.js'
import { createShopBrowser } from '../helpers/shopBrowser.js'
import { transactionFixture, walletAddress, walletFixture } from '../helpers/walletFixtures.js'

type Sent = { path: string; method: string; headers: Headers; body: unknown }

export const apiKey = 'sk_staging_secret'
export const call = { to: walletAddress, value: '0', data: '0x' }
export const params = { chain: 'base-sepolia', calls: [call] } as const
export const transaction = transactionFixture(walletAddress)
export const wallet = '/2022-06-09/wallets/me%3Aevm-smart-wallet'

/** What the service answers, by the end of the path. */
const answers: Readonly<Record<string, unknown>> = {
  transactions: transaction,
  approvals: transaction,
  nfts: [],
  balances: [],
}

/**
 * A handler of a shop where Ada is signed in, and what reaches the service through it: `wallet` is what it has
 * of hers, `missing` lists the types of wallets that she does not have.
 */
export const open = ({
  wallet,
  missing = [],
  ...options
}: Partial<CreateWalletHandlerParameters> & { wallet?: Partial<Wallet>; missing?: WalletType[] } = {}) => {
  const sent: Sent[] = []
  const told: unknown[] = []
  const handle = createWalletHandler({
    baseUrl: 'http://service.test/api/',
    apiKey,
    user: () => 'email:ada@example.com',
    onError: (error) => void told.push(error),
    ...options,
    fetch:
      options.fetch ??
      (async (input, init) => {
        const { method = 'GET', headers, body } = init ?? {}
        const path = String(input).replace('http://service.test/api', '')
        sent.push({
          path,
          method,
          headers: new Headers(headers),
          body: body ? JSON.parse(String(body)) : undefined,
        })
        if (missing.some((type) => path.endsWith(type)))
          return Response.json({ error: true, message: 'Wallet not found' }, { status: 404 })
        const last = /(\w+)(?:\?.*)?$/.exec(path)?.[1] ?? ''
        return Response.json(answers[last] ?? { ...walletFixture, ...wallet }, {
          headers: { 'ratelimit-remaining': '7', 'set-cookie': 'a=b', 'x-request-id': 'r1' },
        })
      }),
  })
  const browser = createShopBrowser(handle)
  const client = createClient({ baseUrl: '/api/wallet', fetch: browser.fetch })
  return { handle, sent, told, client, browser }
}

export const ask = (path: string, init: RequestInit & { headers?: Record<string, string> } = {}) =>
  new Request(`https://shop.example/api/wallet${path}`, {
    ...init,
    headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json', ...init.headers },
  })

export const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  ask(path, { method: 'POST', body: JSON.stringify(body), headers })

export const read = async (answer: Promise<Response>) => {
  const response = await answer
  return { status: response.status, body: JSON.parse(await response.text()) }
}
