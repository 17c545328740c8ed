import { BalanceList, Wallet } from 'kassa/schema'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { ChainPort } from '#base/ports/chain.js'
import { createFakeChain, type FakeChain } from '../../helpers/createFakeChain.js'
import { createShop, type Shop } from '../../helpers/createShop.js'
import { readRefusal } from '../../helpers/readRefusal.js'

let base: FakeChain
let amoy: FakeChain
let shop: Shop
let wallet: Wallet
let path: string
let sanctioned: string

const polAndUsdc: ChainPort['currencies'] = [
  { currency: 'pol', decimals: 18 },
  { currency: 'usdc', decimals: 18, address: '0xusdc' },
]

/** A chain without usdxm, on which usdc has more decimals than elsewhere. */
const withOtherCurrencies = (port: ChainPort): ChainPort => ({
  ...port,
  currencies: polAndUsdc,
  wallets: {
    ...port.wallets,
    currencies: [
      ...polAndUsdc,
      { currency: 'usdt', decimals: 6, address: '0xusdt' },
      { currency: 'dubloon', decimals: 18, address: '0xdubloon' },
    ],
  },
})

const create = async (linkedUser: string): Promise<Wallet> => {
  const body = { type: 'evm-mpc-wallet', linkedUser }
  return z.parse(Wallet, await (await shop.send('POST', '/api/2022-06-09/wallets', { body })).json())
}

const listed = new Set<string>()
beforeAll(async () => {
  base = createFakeChain({ now: Date.now })
  amoy = createFakeChain({ now: Date.now, chain: 'polygon-amoy' })
  const chains = [base.port, withOtherCurrencies(amoy.port)]
  shop = await createShop({ chains, config: { sanctionedAddresses: listed } })
  wallet = await create('email:ada@example.com')
  sanctioned = (await create('email:bad@example.com')).address
  listed.add(sanctioned.toLowerCase())
})
afterAll(() => shop.close())
beforeEach(() => {
  base.wallets.restart()
  amoy.wallets.restart()
  base.state.isAway = false
  path = `/api/v1-alpha2/wallets/${wallet.address}/balances`
})

const get = (query = '') => shop.send('GET', `${path}${query}`)
const fund = (body: unknown, headers: Record<string, string> = {}) =>
  shop.send('POST', path, { body, headers })
const read = async (response: Response) => z.parse(BalanceList, await response.json())
const five = { amount: 5, token: 'usdc', chain: 'base-sepolia' }

describe('getBalances', () => {
  test('default: all that the deployment knows', async () => {
    base.wallets.addBalance(wallet.address, 'eth', 7n)
    base.wallets.addBalance(wallet.address, 'usdc', 1n)
    amoy.wallets.addBalance(wallet.address, 'usdc', 3n)
    const response = await get()
    expect(response.status).toBe(200)
    const units = (count: bigint) => String(count)
    expect(await read(response)).toEqual(
      expect.arrayContaining([
        { token: 'eth', decimals: 18, balances: { 'base-sepolia': '7', total: '7' } },
        { token: 'pol', decimals: 18, balances: { 'polygon-amoy': '0', total: '0' } },
        { token: 'usdxm', decimals: 6, balances: { 'base-sepolia': '0', total: '0' } },
        {
          token: 'usdc',
          decimals: 18,
          balances: {
            'base-sepolia': units(10n ** 12n),
            'polygon-amoy': '3',
            total: units(10n ** 12n + 3n),
          },
        },
      ]),
    )
  })

  test('parameters: tokens, chains', async () => {
    const tokensOf = async (query: string) => (await read(await get(query))).map(({ token }) => token)
    expect(await tokensOf('?tokens=usdc,eth')).toEqual(['usdc', 'eth'])
    expect(await tokensOf('?tokens=usdc,usdc&chains=base-sepolia,base-sepolia')).toEqual(['usdc'])
    expect(await tokensOf('?tokens=usdc%2Ceth&chains=polygon-amoy')).toEqual(['usdc'])
    expect(await tokensOf('?tokens=eth,%20usdc&chains=base-sepolia%20,%20polygon-amoy')).toEqual([
      'eth',
      'usdc',
    ])
    expect(await tokensOf('?tokens=usdc,%20usdc')).toEqual(['usdc'])
    // A name of the interface that means nothing on these chains.
    expect(await tokensOf('?tokens=bonk')).toEqual([])
    expect(await tokensOf('?chains=polygon-amoy')).toEqual(['pol', 'usdc', 'usdt'])
    const [usdc] = await read(await get('?tokens=usdc&chains=base-sepolia'))
    expect(usdc).toEqual({ token: 'usdc', decimals: 6, balances: { 'base-sepolia': '0', total: '0' } })
  })

  test('behavior: a token that no order is paid in', async () => {
    amoy.wallets.addBalance(wallet.address, 'usdt', 5n)
    expect(amoy.port.currencies.map(({ currency }) => currency)).not.toContain('usdt')
    expect(await read(await get('?tokens=usdt'))).toEqual([
      { token: 'usdt', decimals: 6, balances: { 'polygon-amoy': '5', total: '5' } },
    ])
  })

  test('behavior: pol by its old name', async () => {
    amoy.wallets.addBalance(wallet.address, 'pol', 7n)
    const balances = { 'polygon-amoy': '7', total: '7' }
    expect(await read(await get('?tokens=matic,pol'))).toEqual([
      { token: 'matic', decimals: 18, balances },
      { token: 'pol', decimals: 18, balances },
    ])
    expect(await read(await get('?tokens=matic'))).toEqual([{ token: 'matic', decimals: 18, balances }])
  })

  test.each([
    ['?tokens=eth,dubloon', 'tokens: no token is called dubloon'],
    ['?tokens=ETH', 'tokens: no token is called ETH'],
    ['?tokens=', 'tokens: expected names separated by commas'],
    ['?tokens=eth,', 'tokens: no token is called (empty)'],
    ['?tokens=eth,%20,usdc', 'tokens: no token is called (empty)'],
    ['?tokens=%00', 'tokens: no token is called'],
    [`?tokens=${'x'.repeat(3_000)}`, 'tokens: expected 2000 characters or fewer'],
    ['?chains=base', 'chains: base is not enabled on this deployment (enabled: base-sepolia, polygon-amoy)'],
    ['?chains=__proto__', 'chains: __proto__ is not supported'],
    ['?chains=base-sepolia,', 'chains: (empty) is not supported'],
  ])('error: input-invalid %s', async (query, message) => {
    const response = await get(query)
    expect(response.status).toBe(400)
    expect(await readRefusal(response)).toContain(message)
  })

  test('error: chain-unavailable', async () => {
    base.state.isAway = true
    const response = await get()
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
    expect((await get('?chains=polygon-amoy')).status).toBe(200)
  })
})

describe('fundWallet', () => {
  test("default: returns the wallet's balance afterwards", async () => {
    base.wallets.addBalance(wallet.address, 'usdc', 1n)
    const response = await fund(five)
    expect(response.status).toBe(201)
    expect(await read(response)).toEqual([
      { token: 'usdc', decimals: 6, balances: { 'base-sepolia': '5000001', total: '5000001' } },
    ])
  })

  test.each([
    [1, '1000000'],
    [1.000001, '1000001'],
    [99.999999, '99999999'],
    [100, '100000000'],
  ])('parameters: amount %d', async (amount, units) => {
    const [entry] = await read(await fund({ ...five, amount }))
    expect(entry?.balances.total).toBe(units)
  })

  test('parameters: x-idempotency-key, however far the first request came', async () => {
    const headers = { 'x-idempotency-key': 'fund-1' }
    base.wallets.state.afterSend = async () => {
      base.state.isAway = true
    }
    expect((await fund(five, headers)).status).toBe(503)
    base.wallets.state.afterSend = async () => {}
    base.state.isAway = false
    const [second, third] = await Promise.all([fund(five, headers), fund(five, headers)])
    expect([second.status, third.status]).toEqual([201, 201])
    expect(await second.text()).toBe(await third.text())
    const [entry] = await read(await get('?tokens=usdc&chains=base-sepolia'))
    expect(entry?.balances.total).toBe('5000000')
    expect((await fund({ ...five, amount: 6 }, headers)).status).toBe(409)
  })

  test('behavior: without an idempotency key each request funds', async () => {
    await Promise.all([fund(five), fund(five)])
    const [entry] = await read(await get('?tokens=usdc&chains=base-sepolia'))
    expect(entry?.balances.total).toBe('10000000')
  })

  test.each([
    ['too little', { ...five, amount: 0.999999 }, 'amount: expected 1 or more'],
    ['too much', { ...five, amount: 100.000001 }, 'amount: expected 100 or less'],
    ['less than nothing', { ...five, amount: -5 }, 'amount: expected 1 or more'],
    ['too fine', { ...five, amount: 1.0000001 }, 'amount: expected 6 decimals at most'],
    ['a text', { ...five, amount: '5' }, 'amount: expected a number'],
    ['no amount', { ...five, amount: undefined }, 'amount: required'],
    ['infinity', '{"amount":1e400,"token":"usdc","chain":"base-sepolia"}', 'amount: '],
    ['another token', { ...five, token: 'eth' }, 'token: expected usdc or usdxm'],
    ['another chain', { ...five, chain: 'base' }, 'chain: expected one of arbitrum-sepolia'],
    [
      'a chain that no deployment can enable',
      { ...five, chain: 'barret-testnet' },
      'chain: barret-testnet is not supported, and no setting enables it (enabled: base-sepolia, polygon-amoy)',
    ],
    [
      'a chain that is not enabled',
      { ...five, chain: 'viction-testnet' },
      'chain: viction-testnet is not enabled on this deployment (enabled: base-sepolia, polygon-amoy)',
    ],
    [
      'a token that is not known there',
      { ...five, token: 'usdxm', chain: 'polygon-amoy' },
      'token: usdxm is not known on polygon-amoy',
    ],
  ])('error: input-invalid: %s', async (_, body, message) => {
    const response = await fund(body)
    expect(response.status).toBe(400)
    expect(await readRefusal(response)).toContain(message)
    expect(base.wallets.done).toEqual([])
  })

  test('error: a sanctioned wallet', async () => {
    path = `/api/v1-alpha2/wallets/${sanctioned}/balances`
    const response = await fund(five)
    expect(response.status).toBe(422)
    const message = expect.stringContaining(sanctioned.toLowerCase())
    expect(await response.json()).toEqual({ error: true, message })
  })

  test('error: chain-unavailable', async () => {
    base.state.isAway = true
    expect((await fund(five)).status).toBe(503)
  })

  test('error: not-found', async () => {
    path = '/api/v1-alpha2/wallets/email:nobody@example.com:evm-mpc-wallet/balances'
    const response = await fund(five)
    expect(response.status).toBe(404)
  })

  test('error: unprocessable, if the chain refuses', async () => {
    const { fund: known } = base.port.wallets
    const message = 'the operator holds too little usdc'
    base.port.wallets.fund = async () => ({ status: 'failed', error: { reason: 'build_failed', message } })
    const response = await fund(five)
    base.port.wallets.fund = known
    expect(response.status).toBe(422)
    expect(await response.json()).toEqual({ error: true, message })
  })

  test('error: forbidden in production', async () => {
    const production = await createShop({ chains: [base.port], config: { environment: 'production' } })
    const response = await production.send('POST', path, { body: five })
    expect(response.status).toBe(403)
    expect(await readRefusal(response)).toBe('Wallets are funded with test tokens in staging only')
    await production.close()
  })
})
