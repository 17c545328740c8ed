import { BalanceList, Wallet } from 'kassa/schema'
import { getAddress } from 'viem'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createTestChain } from '../../helpers/createTestChain.js'
import { createTestService } from '../../helpers/createTestService.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const world = openBeforeAll(createTestChain)
const service = openBeforeAll(() => createTestService({ chains: [world.chain] }))

const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
  const response = await service.app.request(`/api/${path}`, {
    method,
    headers: { 'content-type': 'application/json', 'x-api-key': service.serverKey, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const answer: unknown = await response.json()
  expect(response.status, JSON.stringify(answer)).toBe(method === 'POST' ? 201 : 200)
  return answer
}

const createWallet = async (type: string): Promise<Wallet> =>
  z.parse(Wallet, await ask('POST', '2022-06-09/wallets', { type }))
const pathOf = ({ address }: Wallet, query = '') => `v1-alpha2/wallets/${address}/balances${query}`
const fund = async (wallet: Wallet, amount: number, headers: Record<string, string> = {}) => {
  const body = { amount, token: 'usdc', chain: 'base-sepolia' }
  return z.parse(BalanceList, await ask('POST', pathOf(wallet), body, headers))
}
const read = async (wallet: Wallet, query = '') =>
  z.parse(BalanceList, await ask('GET', pathOf(wallet, query)))

test.each(['evm-smart-wallet', 'evm-mpc-wallet'])(
  'default: test tokens for an %s, as its chain has them',
  async (type) => {
    const wallet = await createWallet(type)
    const [entry] = await fund(wallet, 12.345678)
    const balances = { 'base-sepolia': '12345678', total: '12345678' }
    expect(entry).toEqual({ token: 'usdc', decimals: 6, balances })
    expect(await world.tokensOf(wallet.address, 'usdc')).toBe(12_345_678n)
    expect(await read(wallet, '?tokens=usdc')).toEqual([entry])
  },
)

test('default: coins and tokens of all kinds', async () => {
  const wallet = await createWallet('evm-smart-wallet')
  await world.client.setBalance({ address: getAddress(wallet.address), value: 3n })
  await fund(wallet, 1)
  const held = Object.fromEntries((await read(wallet)).map(({ token, balances }) => [token, balances.total]))
  expect(held).toEqual({ eth: '3', usdc: '1000000', usdxm: '0' })
})

test('behavior: concurrent requests under one idempotency key are one, and without a key each one counts', async () => {
  const wallet = await createWallet('evm-mpc-wallet')
  const headers = { 'x-idempotency-key': 'once' }
  await Promise.all(Array.from({ length: 5 }, () => fund(wallet, 2, headers)))
  expect(await world.tokensOf(wallet.address, 'usdc')).toBe(2_000_000n)
  await Promise.all(Array.from({ length: 5 }, () => fund(wallet, 2)))
  expect(await world.tokensOf(wallet.address, 'usdc')).toBe(12_000_000n)
})

test('behavior: a process that died after the payment causes no second payment', async () => {
  const wallet = await createWallet('evm-mpc-wallet')
  const headers = { 'x-idempotency-key': 'crash' }
  const { fund: pay } = world.chain.wallets
  world.chain.wallets.fund = async (...args) => {
    await pay(...args)
    throw new Error('killed')
  }
  const body = JSON.stringify({ amount: 3, token: 'usdc', chain: 'base-sepolia' })
  const own = { 'content-type': 'application/json', 'x-api-key': service.serverKey, ...headers }
  const dead = await service.app.request(`/api/${pathOf(wallet)}`, { method: 'POST', headers: own, body })
  expect(dead.status).toBe(500)
  world.chain.wallets.fund = pay
  await fund(wallet, 3, headers)
  expect(await world.tokensOf(wallet.address, 'usdc')).toBe(3_000_000n)
})
