import { once } from 'node:events'
import { connect } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { Wallet } from 'kassa/schema'
import { beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { scopes } from '#base/scopes.js'
import { createKey } from '#identity/keys/apiKeys.js'
import { createProject } from '#identity/projects/projects.js'
import { createShop } from '../../helpers/createShop.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'
import { readRefusal } from '../../helpers/readRefusal.js'
import { startHttpServer } from '../../helpers/startHttpServer.js'

const wallets = '/api/2022-06-09/wallets'
const linkedUser = 'userId:ada'

const shop = openBeforeAll(createShop)
let wallet: Wallet
let foreignKey: string
beforeAll(async () => {
  const body = { type: 'evm-smart-wallet', linkedUser }
  wallet = z.parse(Wallet, await (await shop.send('POST', wallets, { body })).json())
  foreignKey = await createKey(shop.deps, {
    environment: shop.deps.config.environment,
    projectId: await createProject(shop.deps.db, 'another project'),
    kind: 'server',
    scopes,
    origins: [],
  })
})

/** The paths that contain a wallet's locator. */
const pathsOf = (locator: string) => [`${wallets}/${locator}`, `/api/v1-alpha2/wallets/${locator}/balances`]

test.each(['', '/'])('default: by its address and by its user%s', async (slash) => {
  for (const locator of [wallet.address, `${linkedUser}:evm-smart-wallet`]) {
    const response = await shop.send('GET', `${wallets}/${locator}${slash}`)
    expect(await response.json()).toEqual(wallet)
  }
})

test('error: not-found, also for another project’s', async () => {
  const unknownAddress = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  const own = `${linkedUser}:evm-smart-wallet`
  for (const [locator, key] of [
    [wallet.address, foreignKey],
    [own, foreignKey],
    [unknownAddress, shop.serverKey],
    [`${linkedUser}:evm-mpc-wallet`, shop.serverKey],
    [`${linkedUser}:solana-mpc-wallet`, shop.serverKey],
    ['7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV', shop.serverKey],
    ['userId:Ada:evm-smart-wallet', shop.serverKey],
  ] as const) {
    for (const path of pathsOf(locator)) {
      const response = await shop.send('GET', path, { key })
      expect(response.status, path).toBe(404)
      expect(await readRefusal(response)).toBe(`Wallet ${locator} not found`)
    }
  }
})

const longest = 'x'.repeat(10_000)
const hostile = [
  `${linkedUser}:evm-smart-wallet%00`,
  '%00',
  `${linkedUser}%0Aevm-smart-wallet`,
  `%EF%BD%95serId:ada:evm-smart-wallet`,
  'userId%EF%BC%9Aada:evm-smart-wallet',
  'email:%D0%B0da@example.com:evm-smart-wallet',
  "userId:' or '1'='1:evm-smart-wallet",
  `userId:a%22;drop table wallets;--:evm-smart-wallet`,
  'phoneNumber:%2015551234567:evm-smart-wallet',
  'phoneNumber:+1 555:evm-smart-wallet',
  '..%2F..%2Forders',
  '%2e%2e%2f',
  '%',
  '%zz',
  '%C0%80',
  '%ED%A0%80',
  '%F0%9F%92%A5',
  longest,
  `userId:${longest}:evm-smart-wallet`,
  `email:${'a.'.repeat(4_000)}@example.com:evm-smart-wallet`,
  `0x${'f'.repeat(10_000)}`,
  '__proto__',
  'constructor:evm-smart-wallet',
  'userId:__proto__:constructor',
  'userId:ada:EVM-SMART-WALLET',
  'USERID:ada:evm-smart-wallet',
  'undefined',
  'null',
  '[object Object]',
  '*',
  '{walletLocator}',
  ':walletLocator',
]

describe('error: an invalid locator gives 400 or 404, never worse', () => {
  test.each(hostile.map((locator) => [locator.slice(0, 60), locator] as const))('%s', async (_, locator) => {
    for (const path of pathsOf(locator)) {
      const response = await shop.send('GET', path)
      expect([400, 404], `${response.status}`).toContain(response.status)
      const message = await readRefusal(response)
      expect(message.length).toBeLessThan(2_100)
      if (response.status === 400) expect(message).toMatch(/^walletLocator: /)
    }
  })

  test('over a connection, where no client normalizes the request', async () => {
    const server = await startHttpServer(getRequestListener(shop.app.fetch))
    const statusOf = async (locator: string): Promise<number> => {
      const socket = connect(server.port, '127.0.0.1')
      const head = [`GET ${wallets}/${locator} HTTP/1.1`, 'host: x', `x-api-key: ${shop.serverKey}`]
      socket.write(`${[...head, 'connection: close'].join('\r\n')}\r\n\r\n`, 'latin1')
      const [answer] = await once(socket, 'data')
      socket.destroy()
      return Number(/^HTTP\/1\.1 (\d+)/.exec(String(answer))?.[1])
    }
    const raw = [
      '..',
      '../../..',
      './/',
      '//',
      'a//b',
      '\xff\xfe',
      '\u00e4',
      '"',
      '<>',
      '|^`{}',
      '?',
      '#',
      '\\',
    ]
    const unspaced = hostile.filter((locator) => !/[ \n]/.test(locator))
    for (const locator of [...raw, ...unspaced]) expect([400, 404]).toContain(await statusOf(locator))
    expect(await statusOf(`${linkedUser}:evm-smart-wallet`)).toBe(200)
    await server.close()
  })

  test('a printable id of an unknown user is not invalid', async () => {
    const odd = encodeURIComponent(`'";--<script>/../\\%?#&=+`)
    const response = await shop.send('GET', `${wallets}/userId:${odd}:evm-smart-wallet`)
    expect(response.status).toBe(404)
    const body = { type: 'evm-smart-wallet', linkedUser: `userId:${decodeURIComponent(odd)}` }
    const made = z.parse(Wallet, await (await shop.send('POST', wallets, { body })).json())
    const found = await shop.send('GET', `${wallets}/userId:${odd}:evm-smart-wallet`)
    expect(await found.json()).toEqual(made)
  })

  test('an address with a wrong checksum', async () => {
    const wrong = '0x70997970c51812dc3A010C7d01b50e0d17dc79C8'
    const response = await shop.send('GET', `${wallets}/${wrong}`)
    expect(response.status).toBe(400)
    expect(await readRefusal(response)).toContain(
      'walletLocator: 0x70997970c51812dc3A010C7d01b50e0d17dc79C8: its checksum',
    )
  })
})
