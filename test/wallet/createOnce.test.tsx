import { act } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { useTransaction } from '../../src/wallet/useTransaction.js'
import { walletAddress } from '../helpers/walletFixtures.js'
import { createWalletService, renderWalletHook, walletLocator } from './walletWorld.js'

const params = { chain: 'base-sepolia' as const, calls: [{ to: walletAddress, value: '5', data: '0x' }] }

beforeEach(() => sessionStorage.clear())

const refuse = (status: number, error: unknown = true) =>
  Response.json({ error, message: 'no' }, { status, headers: { 'retry-after': '1' } })

/** A page whose tries to create end as told, one after the other; `lost` is created without an answer. */
const visit = (...ends: ('lost' | Response)[]) => {
  const service = createWalletService('evm-kassa-custodial:x', true)
  const rendered = renderWalletHook({ service }, () =>
    useTransaction({ walletLocator, client: service.client }),
  )
  service.script.onRequest = async ({ method, path, key, body }) => {
    if (method !== 'POST' || !path.endsWith('/transactions')) return undefined
    const end = ends.shift()
    if (end !== 'lost') return end
    service.create(key, body)
    throw new TypeError('connection lost')
  }
  const send = () => act(() => rendered.result.current.send(params))
  const getKeys = () => service.posts('/transactions').map(({ key }) => key)
  return { service, send, getKeys, ...rendered }
}

test.each([
  ['a session that ran out', refuse(401)],
  ['a page that may not', refuse(403, { reason: 'not_allowed', message: 'Not now.' })],
  ['a wallet that is not found', refuse(404)],
  ['a body too large for a new rule', refuse(413)],
  ['too many calls', refuse(429)],
])('behavior: after a lost answer %s tells nothing, and the same is created once', async (_, refusal) => {
  const { service, send, getKeys, result } = visit('lost', refusal)
  await send()
  await send()
  expect(result.current.step).toMatchObject({ status: 'failed', isOutcomeKnown: false })
  await send()
  expect(result.current.step).toMatchObject({ status: 'pending', transaction: { id: 'transaction-1' } })
  expect(service.transactions.size).toBe(1)
  expect(new Set(getKeys()).size).toBe(1)
})

test.each([
  ['a field that is wrong', refuse(400)],
  ['a revert', refuse(422, { reason: 'execution_reverted', revert: { type: 'x', reason: 'y' } })],
])('behavior: after a lost answer %s is the answer, and the next is another', async (_, refusal) => {
  const { send, getKeys } = visit(refuse(503), refusal)
  await send()
  await send()
  expect(sessionStorage.length).toBe(0)
  await send()
  const [first, second, third] = getKeys()
  expect([second === first, third === first]).toEqual([true, false])
})

test('behavior: what was refused at its first try is not remembered', async () => {
  const { send, result } = visit(refuse(401))
  await send()
  expect(sessionStorage.length).toBe(0)
  expect(result.current.step).toMatchObject({ status: 'failed', isOutcomeKnown: true })
})

test.each([
  ['an answer that is lost', 'lost'],
  ['too many calls', refuse(429)],
  ['a service that is away', refuse(503)],
  ['a fault of the service', refuse(500)],
  ['an answer of another kind', Response.json({ id: 7 })],
] as const)('behavior: after %s it is unknown whether it was sent', async (_, end) => {
  const { send, result } = visit(end)
  await send()
  expect(result.current.step).toMatchObject({ status: 'failed', isOutcomeKnown: false })
  expect(sessionStorage.length).toBe(1)
})
