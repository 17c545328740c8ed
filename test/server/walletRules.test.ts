import { isTokenTransfer, type WalletToCreate } from 'kassa/server'
import { describe, expect, test } from 'vitest'
import { createWallet, getCredential, getWallet, isKassaError } from '../../src/api/index.js'
import { walletAddress, walletFixture } from '../helpers/walletFixtures.js'
import { ask, call, open, params, post, read, transaction, wallet } from './walletShop.js'

const passkey = {
  type: 'evm-passkey',
  id: 'Zm9v',
  publicKey: { x: `0x${'1'.repeat(64)}`, y: `0x${'2'.repeat(64)}` },
} as const
const keypair = { type: 'evm-keypair', address: walletAddress } as const
const custodian = { type: 'evm-kassa-custodial' } as const
const create = (body: object) => post('/2022-06-09/wallets', body)
const smart = (adminSigner?: object) => ({
  type: 'evm-smart-wallet',
  ...(adminSigner && { config: { adminSigner } }),
})
const never = () => new Promise<never>(() => {})

describe('canCreate', () => {
  test.each([
    ['a passkey', smart(passkey), 200],
    ['a wallet that the service keeps', { type: 'evm-mpc-wallet' }, 200],
    ['an account of the caller', smart(keypair), 403],
    ['the service, which signs unasked', smart(custodian), 403],
    ['no signer, which is the service', smart(), 403],
  ])('default: %s', async (_, body, status) => {
    const { handle, sent } = open()
    expect((await handle(create(body))).status).toBe(status)
    expect(sent).toHaveLength(status === 200 ? 1 : 0)
  })

  test('parameters: canCreate sees who asks for what, and lets it pass by true', async () => {
    const seen: unknown[] = []
    const { handle, sent } = open({
      canCreate: ({ request, ...rest }: WalletToCreate) => {
        seen.push({ ...rest, site: request.headers.get('sec-fetch-site') })
        return true
      },
    })
    await handle(create({ ...smart(keypair), linkedUser: 'email:eve@example.com' }))
    await handle(create(smart()))
    const common = { type: 'evm-smart-wallet', user: 'email:ada@example.com', site: 'same-origin' }
    expect(seen).toEqual([
      { ...common, adminSigner: keypair },
      { ...common, adminSigner: undefined },
    ])
    expect(sent).toHaveLength(2)
  })

  test.each([
    ['false', () => false, 'The shop does not create wallets with this signer'],
    ['a sentence', async () => 'Follow the link in your mail first.', 'Follow the link in your mail first.'],
    ['nothing', () => undefined as unknown as boolean, 'The shop does not create wallets with this signer'],
    [
      'what is true by and by',
      () => 1 as unknown as boolean,
      'The shop does not create wallets with this signer',
    ],
  ])('error: 403 by %s, and nothing is created', async (_, canCreate, message) => {
    const { handle, sent, client } = open({ canCreate })
    expect(await read(handle(create(smart(passkey))))).toEqual({
      status: 403,
      body: { error: true, message },
    })
    const asked = createWallet(client, {
      body: { type: 'evm-smart-wallet', config: { adminSigner: passkey } },
    })
    await expect(asked).rejects.toMatchObject({ code: 'api.forbidden', context: { message } })
    expect(sent).toEqual([])
  })

  test('error: a type that is not offered is not asked about', async () => {
    const { handle } = open({ canCreate: () => true, walletTypes: ['evm-mpc-wallet'] })
    expect((await read(handle(create(smart(passkey))))).status).toBe(400)
  })
})

describe('canSend', () => {
  const send = (body: object, type = 'evm-smart-wallet') =>
    post(`/2022-06-09/wallets/me%3A${type}/transactions`, { params: body })

  test.each(['evm-passkey', 'evm-keypair', 'evm-kassa-custodial', undefined] as const)(
    'parameters: signerType %s',
    async (type) => {
      const seen: unknown[] = []
      const { handle } = open({
        ...(type && { wallet: { config: { adminSigner: { type } } } }),
        canSend: ({ signerType }) => seen.push(signerType) > 0,
      })
      await handle(send(params))
      expect(seen).toEqual([type])
    },
  )

  test.each([
    ['evm-smart-wallet', { calls: [{ ...call, value: '900000000000000000000' }] }],
    ['evm-mpc-wallet', { call: { ...call, value: '900000000000000000000' } }],
  ])('error: money does not leave an %s where only tokens are sent on', async (type, what) => {
    const { handle, sent } = open({
      wallet: { config: { adminSigner: { type: 'evm-kassa-custodial' } } },
      canSend: (transaction) => isTokenTransfer(transaction) || 'Only tokens can be sent.',
    })
    expect((await read(handle(send({ chain: 'base-sepolia', ...what }, type)))).status).toBe(403)
    expect(sent.map(({ method }) => method)).toEqual(['GET'])
  })

  test('error: the shop is not asked about a wallet that does not exist', async () => {
    const asked: unknown[] = []
    const { handle } = open({
      fetch: async () => Response.json({ error: true, message: 'Wallet x not found' }, { status: 404 }),
      canSend: (each) => asked.push(each) > 0,
    })
    const answer = await read(handle(send(params)))
    expect(answer).toEqual({
      status: 404,
      body: { error: true, message: 'Wallet me:evm-smart-wallet not found' },
    })
    expect(asked).toEqual([])
  })

  test("error: nothing is sent while the wallet's owner is unknown", async () => {
    const { handle } = open({
      fetch: async () => Response.json({ error: true, message: 'Away' }, { status: 503 }),
      canSend: () => true,
    })
    expect((await handle(send(params))).status).toBe(503)
  })
})

describe('what is not there', () => {
  const missing = (message: string, status = 404) =>
    open({ fetch: async () => Response.json({ error: true, message }, { status }) })
  const none = { status: 404, body: { error: true, message: 'Wallet me:evm-smart-wallet not found' } }

  test.each([
    ['the wallet', ask(wallet)],
    ['its transactions', ask(`${wallet}/transactions`)],
    ['one of them', ask(`${wallet}/transactions/${transaction.id}`)],
    ['its balances', ask('/v1-alpha2/wallets/me%3Aevm-smart-wallet/balances')],
    ['a new transaction', post(`${wallet}/transactions`, { params })],
  ])('error: no wallet yet is said by the name that the page knows: %s', async (_, request) => {
    const { handle } = missing('Wallet email:ada@example.com:evm-smart-wallet not found')
    expect(await read(handle(request))).toEqual(none)
  })

  test('error: a page learns nothing about a missing wallet except that it is missing', async () => {
    const { handle } = missing('Transaction 1 not found')
    const answer = await read(handle(ask(`${wallet}/transactions/${transaction.id}`)))
    expect(answer).toEqual({ status: 404, body: { error: true, message: 'Transaction 1 not found' } })
    const wrong = await read(missing('Not found').handle(ask(wallet)))
    expect(wrong).toEqual({ status: 404, body: { error: true, message: 'Not found' } })
  })

  test('error: an address where no wallets are says so', async () => {
    const { handle, sent } = open()
    for (const path of ['/wallets/me:evm-smart-wallet', '/2022-06-09/orders', '/'])
      expect(await read(handle(ask(path)))).toEqual({
        status: 404,
        body: { error: true, message: 'No such path below the wallet handler' },
      })
    expect(sent).toEqual([])
  })

  test('error: a type that the shop does not offer', async () => {
    const { handle } = open({ walletTypes: ['evm-mpc-wallet'] })
    expect(await read(handle(ask(wallet)))).toEqual({
      status: 404,
      body: { error: true, message: 'The shop has no wallets of this type' },
    })
  })
})

describe('credentials', () => {
  const nftLocator = `base-sepolia:${walletAddress}:1`
  const path = `/v1-alpha1/nfts/${encodeURIComponent(nftLocator)}/credentials`
  const credentialOf = (holder: string) => ({
    '@context': ['https://www.w3.org/2018/credentials/v1'],
    id: 'urn:uuid:1',
    type: ['VerifiableCredential'],
    issuer: { id: `did:pkh:eip155:84532:${walletAddress}` },
    credentialSubject: { id: holder },
    nft: { tokenId: '1', chain: 'base-sepolia', contractAddress: walletAddress },
    issuanceDate: '2026-02-01T00:00:00.000Z',
    proof: { type: 'x', created: 'x', proofPurpose: 'x', verificationMethod: 'x', proofValue: '0x' },
  })
  const heldBy = (holder: string, wallets = () => Response.json(walletFixture)) =>
    open({
      fetch: async (input) =>
        /credentials$/.test(String(input)) ? Response.json({ value: credentialOf(holder) }) : wallets(),
    })

  test.each([walletAddress, walletAddress.toUpperCase().replace('0X', '0x')])(
    'default: of a token that the user holds, %s',
    async (address) => {
      const { client } = heldBy(`did:pkh:eip155:84532:${address}`)
      const credential = await getCredential(client, { nftLocator })
      expect(credential).toEqual(credentialOf(`did:pkh:eip155:84532:${address}`))
    },
  )

  test.each([
    ['another', `did:pkh:eip155:84532:0x${'bb'.repeat(20)}`],
    ['no user', 'did:web:example.com'],
    ['the user’s address in another’s words', `did:web:${walletAddress}`],
  ])('error: of a token that %s holds there is none, as of one that there is not', async (_, holder) => {
    expect(await read(heldBy(holder).handle(ask(path)))).toEqual({
      status: 404,
      body: { error: true, message: `Token ${nftLocator} not found` },
    })
  })

  test('error: a user without a wallet holds none', async () => {
    const none = () => Response.json({ error: true, message: 'Wallet x not found' }, { status: 404 })
    const { handle } = heldBy(`did:pkh:eip155:84532:${walletAddress}`, none)
    expect((await handle(ask(path))).status).toBe(404)
  })

  test('behavior: a service that has no wallets of a type says nothing about the others', async () => {
    const { handle } = open({
      fetch: async (input) => {
        const path = decodeURIComponent(String(input))
        if (path.endsWith('evm-smart-wallet'))
          return Response.json({ error: true, message: 'walletLocator: not enabled' }, { status: 400 })
        if (path.endsWith('evm-mpc-wallet')) return Response.json(walletFixture)
        return Response.json({ value: credentialOf(`did:pkh:eip155:84532:${walletAddress}`) })
      },
    })
    expect((await handle(ask(path))).status).toBe(200)
  })

  test('error: while the service cannot name the owner, the wallet belongs to no user', async () => {
    const away = () => Response.json({ error: true, message: 'Away' }, { status: 503 })
    const { handle } = heldBy(`did:pkh:eip155:84532:${walletAddress}`, away)
    expect((await handle(ask(path))).status).toBe(503)
  })

  test('error: what is no credential is the service’s fault', async () => {
    const { handle, told } = open({ fetch: async () => Response.json({ value: {} }) })
    expect((await handle(ask(path))).status).toBe(500)
    expect(told).toMatchObject([{ code: 'api.invalid-answer' }])
  })
})

describe('config.function-slow', () => {
  test.each([
    ['user', { user: never }, ask(wallet)],
    ['canCreate', { canCreate: never }, create(smart(passkey))],
    ['canSend', { canSend: never }, post(`${wallet}/transactions`, { params })],
  ] as const)('error: %s, which the shop hears by its name', async (name, options, request) => {
    const { handle, told, sent } = open({ ...options, timeoutMs: 5 })
    expect((await handle(request)).status).toBe(500)
    expect(told).toMatchObject([{ code: 'config.function-slow', context: { name, timeoutMs: 5 } }])
    expect(sent.filter(({ method }) => method === 'POST')).toEqual([])
  })
})

test.each([
  ['no JSON', () => new Response('<html>'), 'the body is not JSON'],
  ['a status of another kind', () => new Response('{}', { status: 302 }), 'status 302'],
])('error: %s is reported in words of wallets, not of orders', async (_, answer, words) => {
  const { client, told } = open({ fetch: async () => answer() })
  const asked = getWallet(client, { walletLocator: 'me:evm-smart-wallet' })
  await expect(asked).rejects.toMatchObject({ code: 'api.failed' })
  const [error] = told
  expect(isKassaError(error, 'api.invalid-answer') && error.context.issues).toContain(words)
  expect(String(error)).not.toMatch(/\border\b/)
})
