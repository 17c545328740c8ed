import { Hono } from 'hono'
import { expect, test } from 'vitest'
import type { ServiceEnv } from '#interface/http/context.js'
import { requestLog } from '#interface/http/requestLog.js'

const ask = async (path: string): Promise<unknown> => {
  let logged: unknown
  const write = (fields: object) => {
    logged = 'path' in fields ? fields.path : undefined
  }
  const app = new Hono<ServiceEnv>()
  app.use(requestLog({ info: write, warn: write, error: write }, () => 0))
  await app.request(path)
  return logged
}

test.each(['/api/2022-06-09/orders/7', '/api/2022-06-09/wallets/0x7099/nfts'])(
  'default: %s',
  async (path) => {
    expect(await ask(path)).toBe(path)
  },
)

test.each([
  ['/wallets/email:ada@example.com:evm-smart-wallet', '/wallets/email:…'],
  ['/wallets/email%3Aada%40example.com%3Aevm-mpc-wallet/balances', '/wallets/email:…/balances'],
  ['/wallets/%65mail:ada@example.com:evm-mpc-wallet', '/wallets/email:…'],
  [
    '/wallets/phoneNumber:+15551234567:evm-smart-wallet/transactions/7',
    '/wallets/phoneNumber:…/transactions/7',
  ],
  ['/wallets/x:ada:base-sepolia/nfts', '/wallets/x:…/nfts'],
  ['/wallets/userId:ada%2F7:base-sepolia/nfts', '/wallets/userId:…/nfts'],
])('behavior: users are not named: %s', async (path, written) => {
  expect(await ask(path)).toBe(written)
})
