import { createClient, createTransaction } from 'kassa/api'
import { expect, test } from 'vitest'
import { explainWallet } from '../../lib/wallet/explainWallet'
import { translate } from '../helpers/english'

const t = translate('send')

/** Returns the error a page catches when its shop's server gives this answer. */
const catchError = async (fetch: typeof globalThis.fetch): Promise<unknown> => {
  try {
    const call = { to: `0x${'11'.repeat(20)}`, value: '0', data: '0x' }
    const body = { params: { calls: [call], chain: 'base-sepolia' as const } }
    await createTransaction(createClient({ baseUrl: 'https://shop.example', fetch, timeoutMs: 20 }), {
      walletLocator: 'me:evm-smart-wallet',
      body,
    })
  } catch (error) {
    return error
  }
  throw new Error('it was answered')
}

const answer =
  (status: number, body: unknown): typeof globalThis.fetch =>
  async () =>
    Response.json(body, { status })

const refuse = (reason: string, message: string) => answer(422, { error: { reason, message }, message })

test.each<[string, typeof globalThis.fetch]>([
  ['api.unreachable', () => Promise.reject(new TypeError('Failed to fetch'))],
  [
    'api.timeout',
    (_, init) =>
      new Promise((_, reject) =>
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason), { once: true }),
      ),
  ],
  ['api.failed', answer(500, { error: true, message: 'Internal error' })],
  ['api.unavailable', answer(503, { error: true, message: 'Away' })],
  ['api.invalid-answer', answer(201, { id: 7 })],
  ['api.rate-limited', answer(429, { error: true, message: 'Slow down' })],
  ['api.unauthorized', answer(401, { error: true, message: 'No user is signed in' })],
])('behavior: after %s, the message does not claim to know whether it was sent', async (code, fetch) => {
  const error = await catchError(fetch)
  expect(error).toMatchObject({ code })
  const words = explainWallet(error, t, false)
  expect(words).toMatch(/not known whether/)
  expect(words).not.toMatch(/[Nn]othing was sent/)
})

test('behavior: before any request, the message says that nothing was sent', async () => {
  const error = await catchError(() => Promise.reject(new TypeError('Failed to fetch')))
  expect(explainWallet(error, t)).toMatch(/Nothing was sent; try again/)
})

test('behavior: only a sanctions refusal mentions sanctions', async () => {
  const sanctioned = refuse('sanctioned_wallet_address', 'The address is sanctioned')
  expect(explainWallet(await catchError(sanctioned), t)).toMatch(/list of sanctions/)
  const unfunded = explainWallet(await catchError(refuse('insufficient_funds', 'The wallet has no ETH')), t)
  expect(unfunded).toMatch(/The wallet has no ETH/)
  expect(unfunded).not.toMatch(/sanction/)
})

test('behavior: a refusal is not described as an unavailable service', async () => {
  const words = explainWallet(await catchError(answer(409, { error: true, message: 'It is over' })), t)
  expect(words).toMatch(/It is over/)
  expect(words).toMatch(/[Nn]othing was sent/)
})

test('behavior: a signed-out user is asked to sign in', async () => {
  const words = explainWallet(
    await catchError(answer(401, { error: true, message: 'No user is signed in' })),
    t,
  )
  expect(words).toMatch(/You are signed out/)
})
