import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  approveTransaction,
  createClient,
  createTransaction,
  createWallet,
  fundWallet,
  getBalances,
  getCredential,
  getTransaction,
  getWallet,
  hasTransactionEnded,
  isKassaError,
  listTransactions,
  listWalletTokens,
  waitForTransaction,
} from '../../src/api/index.js'
import { unheardOf } from '../helpers/unheardOf.js'
import { transactionFixture, walletAddress, walletFixture } from '../helpers/walletFixtures.js'

const walletLocator = 'email:ada@example.com:evm-smart-wallet'
const encoded = 'email%3Aada%40example.com%3Aevm-smart-wallet'
const transactionId = 'one'
const call = { to: walletAddress, value: '0', data: '0x' }
const body = { params: { chain: 'base-sepolia' as const, calls: [call] } }
const transaction = transactionFixture(walletAddress, { id: transactionId })

type Asked = { method: string; path: string; body: unknown; headers: Headers }

/** A service with these answers, the last of them for ever. */
const answering = (...answers: readonly (Response | Error | object)[]) => {
  const asked: Asked[] = []
  const client = createClient({
    baseUrl: 'http://service.test/api',
    apiKey: 'sk_staging_x',
    fetch: async (input, init) => {
      init?.signal?.throwIfAborted()
      const answer = answers[Math.min(asked.length, answers.length - 1)] ?? {}
      asked.push({
        method: init?.method ?? 'GET',
        path: String(input).replace('http://service.test/api', ''),
        body: init?.body ? JSON.parse(String(init.body)) : undefined,
        headers: new Headers(init?.headers),
      })
      if (answer instanceof Error) throw answer
      return answer instanceof Response ? answer.clone() : Response.json(answer)
    },
  })
  return { client, asked }
}

describe('default: each call has its method, path and body', () => {
  const balances = [{ token: 'usdc', decimals: 6, balances: { 'base-sepolia': '1', total: '1' } }]
  const wallets = '/2022-06-09/wallets'

  test.each([
    ['createWallet', walletFixture, 'POST', wallets],
    ['getWallet', walletFixture, 'GET', `${wallets}/${encoded}`],
    ['createTransaction', transaction, 'POST', `${wallets}/${encoded}/transactions`],
    [
      'listTransactions',
      { transactions: [transaction] },
      'GET',
      `${wallets}/${encoded}/transactions?page=2&perPage=3`,
    ],
    ['getTransaction', transaction, 'GET', `${wallets}/${encoded}/transactions/one`],
    ['approveTransaction', transaction, 'POST', `${wallets}/${encoded}/transactions/one/approvals`],
    ['fundWallet', balances, 'POST', `/v1-alpha2/wallets/${encoded}/balances`],
    ['getBalances', balances, 'GET', `/v1-alpha2/wallets/${encoded}/balances?tokens=usdc,eth&chains=base`],
    ['listWalletTokens', [], 'GET', `${wallets}/base%3A0x1/nfts?perPage=50`],
  ] as const)('%s', async (name, answer, method, path) => {
    const { client, asked } = answering(answer)
    const idempotencyKey = 'k'
    const calls = {
      createWallet: () => createWallet(client, { body: { type: 'evm-mpc-wallet' }, idempotencyKey }),
      getWallet: () => getWallet(client, { walletLocator }),
      createTransaction: () => createTransaction(client, { walletLocator, body, idempotencyKey }),
      listTransactions: () => listTransactions(client, { walletLocator, page: 2, perPage: 3 }),
      getTransaction: () => getTransaction(client, { walletLocator, transactionId }),
      approveTransaction: () =>
        approveTransaction(client, {
          walletLocator,
          transactionId,
          body: { approvals: [{ signer: walletAddress, signature: '0x00' }] },
          idempotencyKey,
        }),
      fundWallet: () =>
        fundWallet(client, {
          walletLocator,
          body: { amount: 1.5, token: 'usdc', chain: 'base-sepolia' },
          idempotencyKey,
        }),
      getBalances: () => getBalances(client, { walletLocator, tokens: ['usdc', 'eth'], chains: ['base'] }),
      listWalletTokens: () => listWalletTokens(client, { identifier: 'base:0x1', perPage: 50 }),
    }
    expect(await calls[name]()).toEqual(answer)
    expect(asked).toMatchObject([{ method, path }])
    expect(asked[0]?.headers.get('x-api-key')).toBe('sk_staging_x')
    expect(asked[0]?.headers.get('x-idempotency-key')).toBe(method === 'POST' ? 'k' : null)
  })
})

test.each([
  [{}, ''],
  [{ tokens: ['eth', 'a b'] }, '?tokens=eth,a%20b'],
  [{ chains: ['base'], tokens: undefined }, '?chains=base'],
])('parameters: balances of %j', async (query, written) => {
  const { client, asked } = answering([])
  expect(await getBalances(client, { walletLocator, ...query })).toEqual([])
  expect(asked[0]?.path).toBe(`/v1-alpha2/wallets/${encoded}/balances${written}`)
})

test.each([
  { type: 'solana-keypair', address: '4Nd1mYQzvgV8Vr3Z3nYb7pD6T8K9jF2eqWxABxE1234S' },
  { type: 'evm-vault-custodial', address: walletAddress, locator: `evm-vault-custodial:${walletAddress}` },
  { type: 'solana-vault-custodial' },
  { type: 'evm-keypair', address: walletAddress, locator: walletAddress },
] as const)('parameters: another service’s signer $type', async (adminSigner) => {
  const { client, asked } = answering(walletFixture)
  const body = { type: 'solana-smart-wallet', config: { adminSigner } } as const
  await createWallet(client, { body })
  expect(asked[0]?.body).toEqual(body)
})

test('behavior: a page of transactions is read whole, whatever a newer service writes in it', async () => {
  const { walletType: _, ...other } = transaction
  const newer = { ...other, walletType: 'sui-smart-wallet', completedAt: null }
  const { client } = answering({ transactions: [transaction, newer] })
  const { completedAt: __, ...read } = newer
  expect(await listTransactions(client, { walletLocator })).toStrictEqual({
    transactions: [transaction, read],
  })
})

test('behavior: a credential is taken out of its answer', async () => {
  const value = {
    '@context': ['https://www.w3.org/2018/credentials/v1'],
    id: 'urn:uuid:1',
    type: ['VerifiableCredential'],
    issuer: { id: 'did:pkh:eip155:1:0x1' },
    credentialSubject: { id: 'did:pkh:eip155:1:0x2' },
    nft: { tokenId: '1', chain: 'base', contractAddress: '0x3' },
    issuanceDate: '2026-01-01T00:00:00.000Z',
    proof: { type: 't', created: 'c', proofPurpose: 'p', verificationMethod: 'v', proofValue: '0x' },
  }
  const { client, asked } = answering({ value })
  expect(await getCredential(client, { nftLocator: 'base:0x3:1' })).toEqual(value)
  expect(asked[0]?.path).toBe('/v1-alpha1/nfts/base%3A0x3%3A1/credentials')
})

test('behavior: integers of any size are arguments', async () => {
  const { client, asked } = answering(transaction)
  const args = [2n ** 255n, ['a', 1n]]
  const abi = [{ type: 'function' as const, name: 'f' }]
  const contract = { address: walletAddress, functionName: 'f', abi, args }
  await createTransaction(client, { walletLocator, body: { params: { ...body.params, calls: [contract] } } })
  expect(asked[0]?.body).toMatchObject({ params: { calls: [{ args: [String(2n ** 255n), ['a', '1']] }] } })
})

describe('refusals', () => {
  const refuse = (status: number, answer: object) => Response.json(answer, { status })

  test('error: transaction.reverted', async () => {
    const links = { explorerLink: 'https://explorer.test', simulationLink: 'https://simulation.test' }
    const revert = { type: 'contract_call', reason: 'Gone()', reasonData: '0x1234', ...links }
    const answer = { error: { reason: 'execution_reverted', message: 'reverts', revert }, message: 'reverts' }
    const { client } = answering(refuse(422, answer))
    const error = await createTransaction(client, { walletLocator, body }).catch((thrown: unknown) => thrown)
    if (!isKassaError(error, 'transaction.reverted')) throw error
    expect(error.context).toMatchObject(revert)
    expect(error.message).toContain('Nothing was signed')
  })

  test('error: transaction.refused', async () => {
    const answer = {
      error: { reason: 'sanctioned_wallet_address', message: 'not served' },
      message: 'not served',
    }
    const { client } = answering(refuse(422, answer))
    const creating = createTransaction(client, { walletLocator, body })
    await expect(creating).rejects.toMatchObject({
      code: 'transaction.refused',
      context: { reason: 'sanctioned_wallet_address', message: 'not served' },
    })
  })

  test.each([
    [{ error: { reason: 'x' } }, { code: 'transaction.refused', context: { message: 'x' } }],
    [
      { error: { reason: 'x', revert: {} } },
      { code: 'transaction.reverted', context: { type: 'contract_call', reason: 'x' } },
    ],
    [
      { error: true, message: 'no' },
      { code: 'api.bad-request', context: { message: 'no', status: 422 } },
    ],
    [{ error: { message: 'no' }, message: 'no' }, { code: 'api.bad-request' }],
    [null, { code: 'api.bad-request' }],
  ])('behavior: whatever else a service says is an error too', async (answer, expected) => {
    const { client } = answering(new Response(JSON.stringify(answer), { status: 422 }))
    await expect(createTransaction(client, { walletLocator, body })).rejects.toMatchObject(expected)
  })

  test('error: api.bad-request of a token list, whose form differs', async () => {
    const { client } = answering(refuse(400, { error: 'identifier: no chain' }))
    await expect(listWalletTokens(client, { identifier: 'x:y' })).rejects.toMatchObject({
      code: 'api.bad-request',
      context: { message: 'identifier: no chain' },
    })
  })

  test('error: input.id-invalid, and nothing is asked', async () => {
    const { client, asked } = answering(transaction)
    await expect(getWallet(client, { walletLocator: '' })).rejects.toMatchObject({ code: 'input.id-invalid' })
    await expect(getTransaction(client, { walletLocator, transactionId: '..' })).rejects.toMatchObject({
      code: 'input.id-invalid',
    })
    expect(asked).toEqual([])
  })
})

describe('waitForTransaction', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const play = async <Value>(work: Promise<Value>) => {
    let isSettled = false
    const settled = work
      .catch((error: unknown) => ({ error }))
      .finally(() => {
        isSettled = true
      })
    await vi.advanceTimersByTimeAsync(0)
    while (!isSettled && vi.getTimerCount() > 0) await vi.advanceTimersToNextTimerAsync()
    return settled
  }

  test('default: reports each change once until the transaction is final', async () => {
    const pending = { ...transaction, status: 'pending' }
    const landed = { ...transaction, status: 'success', completedAt: '2026-01-01T00:00:05.000Z' }
    const { client, asked } = answering(transaction, pending, new TypeError('away'), pending, landed)
    const told: string[] = []
    const onUpdate = ({ status }: { status: string }) => void told.push(status)
    expect(await play(waitForTransaction(client, { walletLocator, transactionId, onUpdate }))).toEqual(landed)
    expect(told).toEqual(['awaiting-approval', 'pending', 'success'])
    expect(asked).toHaveLength(5)
  })

  test('error: transaction.unfinished', async () => {
    const { client } = answering(transaction)
    const waiting = waitForTransaction(client, { walletLocator, transactionId, timeoutMs: 3_000 })
    expect(await play(waiting)).toMatchObject({
      error: { code: 'transaction.unfinished', context: { transactionId, timeoutMs: 3_000 } },
    })
  })

  test('behavior: states that this version does not know are final when they say so', () => {
    const odd = { ...transaction, status: unheardOf('dreaming') }
    expect(hasTransactionEnded(odd)).toBe(false)
    expect(hasTransactionEnded({ ...odd, completedAt: '2026-01-01T00:00:00.000Z' })).toBe(true)
  })
})
