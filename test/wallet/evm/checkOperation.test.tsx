import { act, waitFor } from '@testing-library/react'
import { encodeFunctionData, type Hex, parseAbi, serializeTransaction, toHex } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import type { EvmSmartWalletTransaction } from '../../../src/schema/index.js'
import { useTransaction } from '../../../src/wallet/useTransaction.js'
import { hashFixture, operationFixture, walletAddress } from '../../helpers/walletFixtures.js'
import { createUser, createWalletService, renderWalletHook, walletLocator } from '../walletWorld.js'

const thief = `0x${'66'.repeat(20)}` as const
const contract = `0x${'c0'.repeat(20)}` as const
const call = { to: walletAddress, value: '5', data: '0x' }
const params = { chain: 'base-sepolia' as const, calls: [call] }

beforeEach(() => sessionStorage.clear())

/** Makes the transaction say of itself that it does something, and have that to sign. */
const have = (
  known: EvmSmartWalletTransaction,
  userOperation: EvmSmartWalletTransaction['onChain']['userOperation'],
  fields: Partial<EvmSmartWalletTransaction> = {},
): EvmSmartWalletTransaction => {
  const message = hashFixture(userOperation)
  const signer = known.approvals?.pending?.[0]?.signer ?? ''
  return {
    ...known,
    onChain: { userOperation, userOperationHash: message },
    approvals: { pending: [{ signer, message }], required: 1 },
    ...fields,
  }
}

/** A page whose service, or an attacker in front of it, replaces a transaction. */
const visit = async (
  swap: (known: EvmSmartWalletTransaction) => EvmSmartWalletTransaction = (known) => known,
) => {
  const user = await createUser()
  const service = createWalletService(user.account.address)
  service.script.onRequest = async ({ method, path, key, body }) => {
    if (method !== 'POST' || !path.endsWith('/transactions')) return undefined
    const created = swap(service.create(key, body))
    service.transactions.set(created.id, created)
    return Response.json(created, { status: 201 })
  }
  const open = (transactionId: string) =>
    renderWalletHook({ service, user }, () => useTransaction({ walletLocator, transactionId }))
  const rendered = renderWalletHook({ service, user }, () => useTransaction({ walletLocator }))
  return { user, service, open, ...rendered }
}

test.each<[string, (known: EvmSmartWalletTransaction) => EvmSmartWalletTransaction, string]>([
  [
    'bytes that are no hash of the operation',
    (known) => ({ ...known, approvals: { pending: [{ signer: thief, message: toHex(7, { size: 32 }) }] } }),
    'the message to sign is not its hash',
  ],
  [
    'an operation of another wallet',
    (known) => have(known, operationFixture([call], { sender: thief })),
    'it is of another wallet',
  ],
  [
    'other calls, and honest about them',
    (known) => {
      const calls = [{ ...call, to: thief }]
      return have(known, operationFixture(calls), { params: { ...known.params, calls } })
    },
    'it makes other calls',
  ],
  [
    'one call more',
    (known) => have(known, operationFixture([call, { ...call, to: thief }])),
    'it makes other calls',
  ],
  [
    'another value',
    (known) => have(known, operationFixture([{ ...call, value: '6' }])),
    'it makes other calls',
  ],
  [
    'other data',
    (known) => have(known, operationFixture([{ ...call, data: '0x00' }])),
    'it makes other calls',
  ],
  [
    'bytes behind the calls',
    (known) => {
      const operation = operationFixture([call])
      return have(known, { ...operation, callData: `${operation.callData}00` })
    },
    'it makes other calls',
  ],
  [
    'a function of the wallet that makes no calls',
    (known) => have(known, { ...operationFixture([call]), callData: '0x12345678' }),
    'it makes other calls',
  ],
  [
    'another chain',
    (known) => ({ ...known, params: { ...known.params, chain: 'base' } }),
    'it is for another chain',
  ],
  [
    'no operation at all',
    (known) => ({
      ...known,
      onChain: { ...known.onChain, userOperation: { ...known.onChain.userOperation, nonce: 'x' } },
    }),
    'the message to sign is not its hash',
  ],
])('error: transaction.mismatch for %s, without asking the signer', async (_, swap, reason) => {
  const { result, service, user } = await visit((known) => {
    const swapped = swap(known)
    const pending = swapped.approvals?.pending?.map((each) => ({ ...each, signer: user.account.address }))
    return { ...swapped, approvals: { ...swapped.approvals, pending } }
  })
  await act(() => result.current.send(params))
  expect(result.current.step).toMatchObject({
    status: 'failed',
    error: { code: 'transaction.mismatch', context: { transactionId: 'transaction-1', reason } },
  })
  expect([user.countAsked(), service.posts('/approvals').length]).toEqual([0, 0])
})

test('error: transaction.mismatch for what took its place while it was looked at', async () => {
  const { result, service, user, queries } = await visit()
  const { answer } = user.sign
  user.reject()
  await act(() => result.current.send(params))
  user.sign.answer = answer
  const known = service.transactions.get('transaction-1')
  if (!known) throw new Error('not created')
  const calls = [{ ...call, to: thief }]
  service.transactions.set(known.id, have(known, operationFixture(calls), { params: { ...params, calls } }))
  await act(() => queries.invalidateQueries())
  await waitFor(() =>
    expect(result.current.step).toMatchObject({ transaction: { params: { calls: [{ to: thief }] } } }),
  )
  await act(() => result.current.approve())
  expect(result.current.step).toMatchObject({ error: { code: 'transaction.mismatch' } })
  expect(user.countAsked()).toBe(1)
})

describe('what is asked for by its id', () => {
  test('behavior: its own parameters are what it has to do', async () => {
    const { open, service, user } = await visit()
    const { id } = service.create(null, { params: { ...params, calls: [call, call] } })
    const { result } = open(id)
    await waitFor(() => expect(result.current.step.status).toBe('awaiting-approval'))
    await act(() => result.current.approve())
    expect(result.current.step.status).toBe('pending')
    expect(user.countAsked()).toBe(1)
  })

  test('error: transaction.mismatch where it does something else', async () => {
    const { open, service, user } = await visit()
    const known = service.create(null, { params })
    service.transactions.set(known.id, have(known, operationFixture([{ ...call, to: thief }])))
    const { result } = open(known.id)
    await waitFor(() => expect(result.current.step.status).toBe('awaiting-approval'))
    await act(() => result.current.approve())
    expect(result.current.step).toMatchObject({ error: { code: 'transaction.mismatch' } })
    expect(user.countAsked()).toBe(0)
  })
})

const abi = parseAbi([
  'function set(uint256 number, address to)',
  'function set(string text, address to)',
  'function list((uint8 kind, bool isOn, bytes32 hash)[] items, int256[2] pair)',
])

const items = [
  { kind: 1, isOn: true, hash: `0x${'ab'.repeat(32)}` as const },
  { kind: 2, isOn: false, hash: `0x${'00'.repeat(32)}` as const },
] as const
const byPlace = ['2', false, `0x${'00'.repeat(32)}`]
const capitals = `0x${'ABCDEF'.repeat(6)}ABCD`
const people = parseAbi(['function pay((address to, uint256 units)[] shares, string note, address last)'])
const unsized = [{ type: 'function' as const, name: 'f', inputs: [{ type: 'uint' }] }]

test.each([
  [
    'a number as text',
    { functionName: 'set', abi, args: ['1000000000000000000000', thief] },
    encodeFunctionData({ abi: [abi[0]], args: [10n ** 21n, thief] }),
  ],
  [
    'another function of that name',
    { functionName: 'set', abi, args: ['text', thief] },
    encodeFunctionData({ abi: [abi[1]], args: ['text', thief] }),
  ],
  [
    'a whole signature',
    { functionName: 'set(string, address)', abi, args: ['7', thief] },
    encodeFunctionData({ abi: [abi[1]], args: ['7', thief] }),
  ],
  [
    'tuples by name and by place',
    {
      functionName: 'list',
      abi,
      args: [
        [{ ...items[0], hash: `0x${'AB'.repeat(32)}` }, byPlace],
        ['-1', '0'],
      ],
    },
    encodeFunctionData({ abi: [abi[2]], args: [items, [-1n, 0n]] }),
  ],
  [
    'addresses all in capitals, which have no checksum',
    { functionName: 'set', abi, args: ['7', capitals] },
    encodeFunctionData({ abi: [abi[0]], args: [7n, capitals.toLowerCase() as Hex] }),
  ],
  [
    'the same within tuples and lists, beside a text that looks like one',
    {
      functionName: 'pay',
      abi: people,
      args: [[{ to: capitals, units: '1' }, [capitals, '2']], capitals, thief],
    },
    encodeFunctionData({
      abi: people,
      args: [
        [
          { to: capitals.toLowerCase() as Hex, units: 1n },
          { to: capitals.toLowerCase() as Hex, units: 2n },
        ],
        capitals,
        thief,
      ],
    }),
  ],
  [
    'a number without its size',
    { functionName: 'f', abi: unsized, args: ['7'] },
    encodeFunctionData({ abi: parseAbi(['function f(uint256 x)']), args: [7n] }),
  ],
])('behavior: a call by its interface is known again: %s', async (_, written, data) => {
  const swap = (known: EvmSmartWalletTransaction) =>
    have(known, operationFixture([{ to: contract, value: '0', data }]))
  const { result, user } = await visit(swap)
  await act(() => result.current.send({ ...params, calls: [{ address: contract, ...written }] }))
  expect(result.current.step).toMatchObject({ status: 'pending' })
  expect(user.countAsked()).toBe(1)
})

test('error: transaction.mismatch for another function than was named', async () => {
  const data = encodeFunctionData({ abi: [abi[1]], args: ['7', thief] })
  const swap = (known: EvmSmartWalletTransaction) =>
    have(known, operationFixture([{ to: contract, value: '0', data }]))
  const { result } = await visit(swap)
  const written = { address: contract, functionName: 'set(uint256,address)', abi, args: ['7', thief] }
  await act(() => result.current.send({ ...params, calls: [written] }))
  expect(result.current.step).toMatchObject({ error: { code: 'transaction.mismatch' } })
})

test('behavior: a whole transaction is a call', async () => {
  const transaction = serializeTransaction({
    type: 'eip1559',
    chainId: 84532,
    to: contract,
    value: 3n,
    data: '0x1234',
  })
  const { result } = await visit((known) =>
    have(known, operationFixture([{ to: contract, value: '3', data: '0x1234' }])),
  )
  await act(() => result.current.send({ ...params, calls: [{ transaction }] }))
  expect(result.current.step.status).toBe('pending')
})
