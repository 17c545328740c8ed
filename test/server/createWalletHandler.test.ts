import { describe, expect, test } from 'vitest'
import {
  createTransaction,
  createWallet,
  getBalances,
  getCredential,
  isKassaError,
  listWalletTokens,
} from '../../src/api/index.js'
import { message, walletAddress, walletFixture } from '../helpers/walletFixtures.js'
import { apiKey, ask, call, open, params, post, read, transaction, wallet } from './walletShop.js'

test('default: who is signed in creates their own wallet', async () => {
  const { client, sent, browser } = open()
  const created = await createWallet(client, { body: { type: 'evm-mpc-wallet' } })
  expect(created).toEqual(walletFixture)
  expect(sent).toMatchObject([
    {
      path: '/2022-06-09/wallets',
      method: 'POST',
      body: { type: 'evm-mpc-wallet', linkedUser: 'email:ada@example.com' },
    },
  ])
  expect(sent[0]?.headers.get('x-api-key')).toBe(apiKey)
  const [answer] = browser.answers
  expect(answer?.headers.get('x-request-id')).toBe('r1')
  expect(answer?.headers.get('set-cookie')).toBeNull()
  // What is left of the shop's allowance is no visitor's business.
  expect(answer?.headers.get('ratelimit-remaining')).toBeNull()
  expect(JSON.stringify([...(answer?.headers ?? [])]) + answer?.text).not.toContain(apiKey)
})

test('behavior: the wallet belongs to the signed-in user, whatever owner the body names', async () => {
  const { handle, sent } = open()
  await handle(post('/2022-06-09/wallets', { type: 'evm-mpc-wallet', linkedUser: 'email:eve@example.com' }))
  expect(sent[0]?.body).toEqual({ type: 'evm-mpc-wallet', linkedUser: 'email:ada@example.com' })
})

test('behavior: me is the user, on every path', async () => {
  const { client, sent } = open()
  const walletLocator = 'me:evm-smart-wallet'
  await listWalletTokens(client, { identifier: 'me:base-sepolia', page: 2, perPage: 5 })
  await getBalances(client, { walletLocator, tokens: ['eth'], chains: ['base-sepolia'] })
  await createTransaction(client, { walletLocator, body: { params: { ...params, calls: [call] } } })
  expect(sent.map(({ path }) => decodeURIComponent(path))).toEqual([
    '/2022-06-09/wallets/email:ada@example.com:base-sepolia/nfts?page=2&perPage=5',
    '/v1-alpha2/wallets/email:ada@example.com:evm-smart-wallet/balances?tokens=eth&chains=base-sepolia',
    '/2022-06-09/wallets/email:ada@example.com:evm-smart-wallet/transactions',
  ])
})

test('behavior: a user whose id holds slashes and colons stays in their place of the path', async () => {
  const { handle, sent } = open({ user: () => 'userId:../../a?b#c:d' })
  await handle(ask(wallet))
  expect(sent[0]?.path).toBe('/2022-06-09/wallets/userId%3A..%2F..%2Fa%3Fb%23c%3Ad%3Aevm-smart-wallet')
})

test('behavior: tokens of an address are listed where it is the user’s own', async () => {
  const { client, sent } = open()
  const own = walletAddress.toUpperCase().replace('0X', '0x')
  await listWalletTokens(client, { identifier: `base-sepolia:${own}` })
  expect(decodeURIComponent(sent.at(-1)?.path ?? '')).toBe(`/2022-06-09/wallets/base-sepolia:${own}/nfts`)
  const foreign = listWalletTokens(client, { identifier: `base-sepolia:0x${'bb'.repeat(20)}` })
  await expect(foreign).rejects.toMatchObject({ code: 'api.not-found' })
  expect(sent.filter(({ path }) => path.endsWith('/nfts'))).toHaveLength(1)
})

test('behavior: a known address is not looked up again, whatever other wallets the user lacks', async () => {
  const { client, sent } = open({
    walletTypes: ['evm-mpc-wallet', 'evm-smart-wallet', 'solana-mpc-wallet'],
    missing: ['evm-mpc-wallet', 'solana-mpc-wallet'],
  })
  for (const page of [1, 2, 3]) await listWalletTokens(client, { identifier: `base:${walletAddress}`, page })
  const lookups = sent.filter(({ path }) => !path.includes('/nfts'))
  expect(lookups.map(({ path }) => decodeURIComponent(path))).toEqual([
    '/2022-06-09/wallets/email:ada@example.com:evm-mpc-wallet',
    '/2022-06-09/wallets/email:ada@example.com:evm-smart-wallet',
  ])
  expect(sent.filter(({ path }) => path.includes('/nfts'))).toHaveLength(3)
})

test.each([
  ['an address', `/2022-06-09/wallets/${walletAddress}`, 400],
  ['another user', '/2022-06-09/wallets/email%3Aeve@example.com%3Aevm-smart-wallet', 400],
  ['another user behind me', '/2022-06-09/wallets/me%3Aemail%3Aeve@example.com%3Aevm-smart-wallet', 400],
  ['a type that is not offered', '/2022-06-09/wallets/me%3Asolana-mpc-wallet', 404],
  ['another user, listed', '/2022-06-09/wallets/email%3Aeve@example.com%3Abase/nfts', 400],
  ['another path', '/2022-06-09/collections', 404],
  ['orders', '/2022-06-09/orders', 404],
  ['a path below', `${wallet}/transactions/../../../orders`, 404],
  ['an id that is none', `${wallet}/transactions/a%2F..%2Fb`, 404],
])('error: %s is not asked for', async (_, path, status) => {
  const { handle, sent } = open()
  expect((await read(handle(ask(path)))).status).toBe(status)
  expect(sent.filter((one) => !one.path.endsWith('smart-wallet'))).toEqual([])
})

test('error: nothing is funded, changed or deleted through it', async () => {
  const { handle, sent } = open()
  const body = { amount: 1, token: 'usdc', chain: 'base-sepolia' }
  expect((await handle(post('/v1-alpha2/wallets/me%3Aevm-smart-wallet/balances', body))).status).toBe(404)
  for (const method of ['PUT', 'PATCH', 'DELETE'])
    expect((await handle(ask(wallet, { method }))).status).toBe(404)
  expect((await handle(post('/v1-alpha1/nfts/a%3Ab%3Ac/credentials', {}))).status).toBe(404)
  expect(sent).toEqual([])
})

test('error: 401 without a signed-in user', async () => {
  const { handle, sent } = open({ user: async () => undefined })
  expect(await read(handle(ask(wallet)))).toEqual({
    status: 401,
    body: { error: true, message: 'No user is signed in' },
  })
  expect(sent).toEqual([])
})

test.each([
  ['no user', 'ada'],
  ['an e-mail address alone', 'ada@example.com'],
  ['a number', 7],
])('error: config.user-invalid for %s, which the shop hears and the browser does not', async (_, user) => {
  const { handle, sent, told } = open({ user: () => user as string })
  const answer = await read(handle(ask(wallet)))
  expect(answer.status).toBe(500)
  expect(answer.body.message).not.toContain('user')
  expect(told.map((error) => isKassaError(error, 'config.user-invalid'))).toEqual([true])
  expect(sent).toEqual([])
})

describe('pages of other origins', () => {
  test.each([
    ['foreign', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, 403],
    ['of a sister site', { 'sec-fetch-site': 'same-site', origin: 'https://other.shop.example' }, 403],
    ['allowed', { 'sec-fetch-site': 'same-site', origin: 'https://www.shop.example' }, 200],
  ])('parameters: origins, %s', async (_, headers, status) => {
    const { handle, sent } = open({ origins: ['https://www.shop.example'] })
    const response = await handle(post(`${wallet}/transactions`, { params }, headers))
    expect(response.status).toBe(status)
    expect(sent.length).toBe(status === 200 ? 1 : 0)
  })

  test('behavior: what says nothing of its origin may read, and not send', async () => {
    const { handle, sent } = open()
    const bare = (method: string, path: string, body?: string) =>
      new Request(`https://shop.example/api/wallet${path}`, {
        method,
        ...(body !== undefined && { body, headers: { 'content-type': 'application/json' } }),
      })
    expect((await handle(bare('POST', `${wallet}/transactions`, JSON.stringify({ params })))).status).toBe(
      403,
    )
    expect(sent).toEqual([])
    expect((await handle(bare('GET', wallet))).status).toBe(200)
  })
})

describe('canSend', () => {
  test('parameters: canSend sees who sends what, and lets it pass by true', async () => {
    const seen: unknown[] = []
    const { client, sent } = open({
      wallet: { config: { adminSigner: { type: 'evm-passkey' } } },
      canSend: ({ request, ...rest }) => {
        seen.push({ ...rest, site: request.headers.get('sec-fetch-site') })
        return true
      },
    })
    await createTransaction(client, {
      walletLocator: 'me:evm-smart-wallet',
      body: { params: { ...params, calls: [call] } },
    })
    const wallet = { walletType: 'evm-smart-wallet', address: walletAddress, signerType: 'evm-passkey' }
    expect(seen).toEqual([{ user: 'email:ada@example.com', ...wallet, params, site: 'same-origin' }])
    expect(sent.map(({ method }) => method)).toEqual(['GET', 'POST'])
  })

  test.each([
    ['false', () => false, 'The shop does not send this transaction'],
    ['a sentence', async () => 'Not before Monday.', 'Not before Monday.'],
    ['nothing', () => undefined as unknown as boolean, 'The shop does not send this transaction'],
  ])('error: 403 by %s, and nothing is sent', async (_, canSend, said) => {
    const { handle, sent } = open({ canSend })
    const answer = await read(handle(post(`${wallet}/transactions`, { params })))
    const error = { reason: 'not_allowed', message: said }
    expect(answer).toEqual({ status: 403, body: { error, message: said } })
    expect(sent.map(({ method }) => method)).toEqual(['GET'])
  })

  test('error: transaction.not-allowed, whose message is the shop’s own sentence', async () => {
    const { client } = open({ canSend: () => 'Only tokens can be sent.' })
    const sending = createTransaction(client, {
      walletLocator: 'me:evm-smart-wallet',
      body: { params: { ...params, calls: [call] } },
    })
    await expect(sending).rejects.toMatchObject({
      code: 'transaction.not-allowed',
      message: 'Only tokens can be sent.',
      remedy: 'contact-shop',
    })
  })

  test('error: what it throws is the shop’s own', async () => {
    const broken = new Error('broken')
    const { handle, sent, told } = open({
      canSend: () => {
        throw broken
      },
    })
    expect((await handle(post(`${wallet}/transactions`, { params }))).status).toBe(500)
    expect([sent.map(({ method }) => method), told]).toEqual([['GET'], [broken]])
  })
})

test.each([
  ['params.calls', { params: { chain: 'base-sepolia', calls: [] } }],
  ['params.chain', { params: { chain: 'moon', calls: [call] } }],
  ['params.call', { params: { ...params, call } }],
  ['params', {}],
])('error: 400 naming %s', async (field, body) => {
  const { handle, sent } = open()
  const answer = await read(handle(post(`${wallet}/transactions`, body)))
  expect(answer.status).toBe(400)
  expect(answer.body.message).toContain(`${field}: `)
  expect(sent).toEqual([])
})

test('error: 413 over 64 KiB', async () => {
  const { handle, sent } = open()
  const long = { to: walletAddress, value: '0', data: `0x${'00'.repeat(33_000)}` }
  const answer = await handle(post(`${wallet}/transactions`, { params: { ...params, calls: [long] } }))
  expect([answer.status, sent.length]).toEqual([413, 0])
})

test('behavior: approvals pass, of accounts and of passkeys', async () => {
  const { handle, sent } = open()
  const path = `${wallet}/transactions/${transaction.id}/approvals`
  const byAccount = { signer: walletAddress, signature: '0x00' }
  const byPasskey = {
    signer: 'evm-passkey:abc',
    signature: { r: '0x1', s: '0x2' },
    metadata: { authenticatorData: '0x00', clientDataJSON: '{}', challengeIndex: 23 },
  }
  await handle(post(path, { approvals: [byAccount] }))
  await handle(post(path, { approvals: [byPasskey] }))
  expect(sent.map(({ body }) => body)).toEqual([{ approvals: [byAccount] }, { approvals: [byPasskey] }])
  expect(sent[0]?.path).toContain(`:evm-smart-wallet`.replaceAll(':', '%3A'))
})

test('behavior: from where the shop’s own server approved is no visitor’s to see', async () => {
  const metadata = { deviceInfo: 'server', ipAddress: '10.0.0.7', userAgent: 'node' }
  const approval = {
    signer: walletAddress,
    message,
    signature: '0x00',
    submittedAt: '2026-01-01T00:00:00.000Z',
  }
  const approved = {
    ...transaction,
    approvals: { pending: [], submitted: [{ ...approval, metadata }], required: 1 },
  }
  const { handle } = open({
    fetch: async (input) =>
      Response.json(/transactions$/.test(String(input)) ? { transactions: [approved] } : approved),
  })
  const one = `${wallet}/transactions/${transaction.id}`
  const bodies = []
  for (const asked of [
    ask(one),
    ask(`${wallet}/transactions`),
    post(`${one}/approvals`, { approvals: [{ signer: walletAddress, signature: '0x00' }] }),
  ])
    bodies.push((await read(handle(asked))).body)
  const shown = { ...approved, approvals: { ...approved.approvals, submitted: [approval] } }
  expect(bodies).toEqual([shown, { transactions: [shown] }, shown])
})

test('behavior: an idempotency key is another for another user, and none that could be guessed', async () => {
  const key = '0123456789abcdef0123456789abcdef'
  const keys = []
  for (const user of ['email:ada@example.com', 'email:eve@example.com', 'email:ada@example.com']) {
    const { handle, sent } = open({ user: () => user })
    await handle(post(`${wallet}/transactions`, { params }, { 'x-idempotency-key': key }))
    keys.push(sent[0]?.headers.get('x-idempotency-key'))
  }
  const [ada, eve, again] = keys
  expect(ada).toMatch(/^[0-9a-f]{64}$/)
  expect([ada === again, ada === eve]).toEqual([true, false])
  const { handle } = open()
  const guessed = await handle(post(`${wallet}/transactions`, { params }, { 'x-idempotency-key': '1' }))
  expect(guessed.status).toBe(400)
})

test('error: transaction.reverted reaches the page, with the words of the contract', async () => {
  const revert = { type: 'contract_call', reason: 'ERC721: not the owner', reasonData: '0x08c379a0' }
  const { client } = open({
    fetch: async () =>
      Response.json(
        {
          error: { reason: 'execution_reverted', message: 'reverted', revert, trace: 'x' },
          message: 'reverted',
        },
        { status: 422 },
      ),
  })
  const sending = createTransaction(client, {
    walletLocator: 'me:evm-smart-wallet',
    body: { params: { ...params, calls: [call] } },
  })
  await expect(sending).rejects.toMatchObject({ code: 'transaction.reverted', context: revert })
})

test('error: transaction.refused', async () => {
  const { client } = open({
    fetch: async () =>
      Response.json(
        { error: { reason: 'sanctioned_wallet_address', message: 'No.' }, message: 'No.' },
        { status: 422 },
      ),
  })
  const sending = createTransaction(client, {
    walletLocator: 'me:evm-smart-wallet',
    body: { params: { ...params, calls: [call] } },
  })
  await expect(sending).rejects.toMatchObject({
    code: 'transaction.refused',
    context: { reason: 'sanctioned_wallet_address', message: 'No.' },
  })
})

test.each([401, 403])(
  'error: a key that the service refuses (%i) is reported to the shop alone',
  async (status) => {
    const { client, told } = open({
      fetch: async () => Response.json({ error: true, message: `no scope for ${apiKey}` }, { status }),
    })
    const refused = getCredential(client, { nftLocator: `base:${walletAddress}:1` })
    await expect(refused).rejects.toMatchObject({ code: 'api.failed' })
    expect(told).toHaveLength(1)
  },
)

test('error: 503 while the service is away, and the shop hears of it', async () => {
  const { handle, told } = open({ fetch: () => Promise.reject(new TypeError('fetch failed')) })
  const response = await handle(ask(wallet))
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '10'])
  expect(told).toMatchObject([{ code: 'api.unreachable' }])
})

test('error: without a server key nothing is asked', async () => {
  const { handle, told } = open({ apiKey: undefined })
  expect((await handle(ask(wallet))).status).toBe(500)
  expect(told).toMatchObject([{ code: 'config.key-invalid' }])
})

test('behavior: what is to be signed reaches the page as the service wrote it', async () => {
  const { client } = open()
  const created = await createTransaction(client, {
    walletLocator: 'me:evm-smart-wallet',
    body: { params: { ...params, calls: [call] } },
  })
  expect(created.approvals?.pending).toEqual([{ signer: walletAddress, message }])
})
