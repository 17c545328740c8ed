import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeEach, describe, expect, test } from 'vitest'
import { CheckoutProvider } from '../../src/components/CheckoutProvider.js'
import { forgetTransactions } from '../../src/wallet/forgetTransactions.js'
import { useTransaction } from '../../src/wallet/useTransaction.js'
import { useWalletTokens } from '../../src/wallet/useWalletTokens.js'
import { walletAddress } from '../helpers/walletFixtures.js'
import { createUser, createWalletService, renderWalletHook, walletLocator } from './walletWorld.js'

const params = {
  chain: 'base-sepolia',
  calls: [{ to: walletAddress, value: '0', data: '0x' }],
} as const
const send = { ...params, calls: [...params.calls] }
const other = { ...send, calls: [{ to: walletAddress, value: '1', data: '0x' }] }

beforeEach(() => sessionStorage.clear())

const visit = async (options: { isConnected?: boolean; signer?: string } = {}) => {
  const user = await createUser(options)
  const service = createWalletService(options.signer ?? user.account.address)
  const open = () => renderWalletHook({ service, user }, () => useTransaction({ walletLocator }))
  return { user, service, open, ...open() }
}

/** A visit whose transaction was created while its answer was lost. From then on answers arrive. */
const visitWithLostAnswer = async () => {
  const visited = await visit()
  visited.service.loseAnswers()
  await act(() => visited.result.current.send(send))
  delete visited.service.script.onRequest
  return visited
}

test('default: created, signed by the connected wallet, followed to its end', async () => {
  const { service, result, user } = await visit()
  expect(result.current.step).toEqual({ status: 'idle' })
  await act(() => result.current.send(send))
  expect(result.current.step.status).toBe('pending')
  expect(user.countAsked()).toBe(1)
  service.end('transaction-1', { status: 'success' })
  await waitFor(() => expect(result.current.step).toMatchObject({ status: 'succeeded' }))
  expect(service.posts('/transactions')).toHaveLength(1)
  expect(service.posts('/approvals')).toHaveLength(1)
  expect(sessionStorage.length).toBe(0)
})

test('behavior: a wallet whose key the service keeps needs no wagmi and no approval', async () => {
  const service = createWalletService('evm-kassa-custodial:x', true)
  const { result } = renderWalletHook({ service }, () =>
    useTransaction({ walletLocator, client: service.client }),
  )
  await act(() => result.current.send(send))
  expect(result.current.step.status).toBe('pending')
  service.end('transaction-1', { status: 'success' })
  await waitFor(() => expect(result.current.step.status).toBe('succeeded'))
  expect(service.posts('/approvals')).toEqual([])
})

test('behavior: calls at once are one transaction and one signature', async () => {
  const { service, result, user } = await visit()
  await act(() =>
    Promise.all([result.current.send(send), result.current.send(send), result.current.approve()]),
  )
  await act(() => result.current.send(send))
  expect([service.posts('/transactions').length, user.countAsked()]).toEqual([1, 1])
})

test('behavior: integers of any size are taken', async () => {
  const { service, result } = await visit()
  const call = {
    address: walletAddress,
    functionName: 'f',
    abi: [{ type: 'function' as const }],
    args: [10n ** 30n],
  }
  await act(() => result.current.send({ ...send, calls: [call] }))
  expect(service.posts('/transactions')[0]?.body).toMatchObject({
    params: { calls: [{ args: ['1000000000000000000000000000000'] }] },
  })
})

test('behavior: after it ended the same is sent anew', async () => {
  const { service, result } = await visit()
  await act(() => result.current.send(send))
  service.end('transaction-1', { status: 'success' })
  await waitFor(() => expect(result.current.step.status).toBe('succeeded'))
  await act(() => result.current.send(send))
  expect(result.current.step).toMatchObject({ status: 'pending', transaction: { id: 'transaction-2' } })
  const [first, second] = service.posts('/transactions')
  expect(first?.key).toMatch(/^[0-9a-f]{32}$/)
  expect(second?.key).not.toBe(first?.key)
})

test('behavior: lists are read again when it has ended', async () => {
  const user = await createUser()
  const service = createWalletService(user.account.address)
  const { result } = renderWalletHook({ service, user }, () => ({
    tokens: useWalletTokens({ identifier: 'me:base-sepolia' }),
    sending: useTransaction({ walletLocator }),
  }))
  const countLists = () => service.asked.filter(({ path }) => path.endsWith('/nfts')).length
  await waitFor(() => expect(result.current.tokens.data).toEqual([]))
  const before = countLists()
  await act(() => result.current.sending.send(send))
  expect(countLists()).toBe(before)
  service.end('transaction-1', { status: 'success' })
  await waitFor(() => expect(countLists()).toBe(before + 1))
})

describe('approvals', () => {
  test('error: transaction.rejected, and approve asks again for the same', async () => {
    const { service, result, user } = await visit()
    const { answer } = user.sign
    user.reject()
    await act(() => result.current.send(send))
    expect(result.current.step).toMatchObject({
      status: 'failed',
      error: { code: 'transaction.rejected' },
      transaction: { status: 'awaiting-approval' },
    })
    expect(service.posts('/approvals')).toEqual([])
    user.sign.answer = answer
    await act(() => result.current.approve())
    expect(result.current.step.status).toBe('pending')
    expect(service.posts('/transactions')).toHaveLength(1)
  })

  test('behavior: after a refusal something else is another transaction, never the first', async () => {
    const { service, result, user } = await visit()
    const { answer } = user.sign
    user.reject()
    await act(() => result.current.send(send))
    user.sign.answer = answer
    await act(() => result.current.send(other))
    expect(result.current.step).toMatchObject({ status: 'pending', transaction: { id: 'transaction-2' } })
    expect(service.transactions.get('transaction-1')?.status).toBe('awaiting-approval')
  })

  test('error: transaction.not-connected', async () => {
    const { result, user } = await visit({ isConnected: false })
    await act(() => result.current.send(send))
    expect(result.current.step).toMatchObject({
      status: 'failed',
      error: { code: 'transaction.not-connected' },
    })
    expect(user.countAsked()).toBe(0)
  })

  test('error: transaction.wrong-signer, of whom nothing is asked', async () => {
    const expected = `0x${'33'.repeat(20)}`
    const { result, user } = await visit({ signer: expected })
    await act(() => result.current.send(send))
    expect(result.current.step).toMatchObject({
      error: { code: 'transaction.wrong-signer', context: { expected, connected: user.account.address } },
    })
    expect(user.countAsked()).toBe(0)
  })

  test('error: transaction.signer-unknown', async () => {
    const { result } = await visit({ signer: 'solana-keypair:abc' })
    await act(() => result.current.send(send))
    expect(result.current.step).toMatchObject({
      error: { code: 'transaction.signer-unknown', context: { signer: 'solana-keypair:abc' } },
    })
  })

  test('error: passkey.unavailable where there are none', async () => {
    const { result, service } = await visit({ signer: 'evm-passkey:abc' })
    await act(() => result.current.send(send))
    expect(result.current.step).toMatchObject({ status: 'failed', error: { code: 'passkey.unavailable' } })
    expect(service.posts('/approvals')).toEqual([])
  })

  test('error: transaction.wallet-failed', async () => {
    const { result, user } = await visit()
    user.sign.answer = () => Promise.reject(new Error('locked'))
    await act(() => result.current.send(send))
    expect(result.current.step).toMatchObject({ error: { code: 'transaction.wallet-failed' } })
  })

  test('behavior: approved in another tab meanwhile is approved', async () => {
    const { result, service, user } = await visit()
    const { answer } = user.sign
    user.sign.answer = async (raw) => {
      const known = service.transactions.get('transaction-1')
      if (known) service.transactions.set(known.id, { ...known, status: 'pending' })
      return answer(raw)
    }
    await act(() => result.current.send(send))
    expect(result.current.step.status).toBe('pending')
  })

  test('error: api.bad-request for a signature that the service does not take', async () => {
    const { result, user } = await visit()
    user.sign.answer = async () => `0x${'11'.repeat(65)}`
    await act(() => result.current.send(send))
    expect(result.current.step).toMatchObject({
      status: 'failed',
      error: { code: 'api.bad-request' },
      transaction: { status: 'awaiting-approval' },
    })
  })
})

describe('what the network says', () => {
  test('error: transaction.reverted before anything is signed', async () => {
    const { result, service, user } = await visit()
    const revert = { type: 'contract_call', reason: 'not yours' } as const
    service.script.onRequest = async ({ path }) =>
      path.endsWith('/transactions')
        ? Response.json(
            { error: { reason: 'execution_reverted', message: 'no', revert }, message: 'no' },
            { status: 422 },
          )
        : undefined
    await act(() => result.current.send(send))
    expect(result.current.step).toMatchObject({
      status: 'failed',
      error: { code: 'transaction.reverted', context: { reason: 'not yours' } },
    })
    expect([user.countAsked(), sessionStorage.length]).toEqual([0, 0])
  })

  test('error: transaction.reverted on its chain', async () => {
    const { result, service } = await visit()
    await act(() => result.current.send(send))
    const revert = { type: 'contract_call', reason: 'not yours' } as const
    service.end('transaction-1', { status: 'failed', error: { reason: 'execution_reverted', revert } })
    await waitFor(() =>
      expect(result.current.step).toMatchObject({
        error: { code: 'transaction.reverted', context: { transactionId: 'transaction-1' } },
      }),
    )
  })

  test('error: transaction.failed', async () => {
    const { result, service } = await visit()
    await act(() => result.current.send(send))
    service.end('transaction-1', { status: 'failed', error: { reason: 'failed_to_land_on_chain' } })
    await waitFor(() =>
      expect(result.current.step).toMatchObject({
        error: { code: 'transaction.failed', context: { reason: 'failed_to_land_on_chain' } },
        isOutcomeKnown: true,
      }),
    )
  })

  test('error: transaction.failed, when the service cannot tell whether it landed', async () => {
    const { result, service } = await visit()
    await act(() => result.current.send(send))
    service.end('transaction-1', { status: 'failed', error: { reason: 'unknown' } })
    await waitFor(() =>
      expect(result.current.step).toMatchObject({
        error: { code: 'transaction.failed', message: expect.stringContaining('is unknown') },
        isOutcomeKnown: false,
      }),
    )
  })
})

describe('lost answers and reloads', () => {
  test('behavior: after a lost answer the same is created once', async () => {
    const { result, service } = await visitWithLostAnswer()
    expect(result.current.step).toMatchObject({ status: 'failed', error: { code: 'api.unreachable' } })
    await act(() => result.current.send(send))
    expect(result.current.step).toMatchObject({ status: 'pending', transaction: { id: 'transaction-1' } })
    expect(service.transactions.size).toBe(1)
  })

  test('behavior: a reload before the answer says so, and the same is created once', async () => {
    const { service, open, unmount } = await visitWithLostAnswer()
    unmount()
    const again = open()
    await waitFor(() => expect(again.result.current.step).toEqual({ status: 'unanswered', params: send }))
    expect(service.posts('/transactions')).toHaveLength(1)
    await act(() => again.result.current.send(send))
    expect(service.transactions.size).toBe(1)
  })

  test('behavior: going back from a lost answer forgets nothing: the same is created once', async () => {
    const { result, service } = await visitWithLostAnswer()
    act(() => result.current.reset())
    expect(result.current.step).toEqual({ status: 'idle' })
    await act(() => result.current.send(send))
    expect(result.current.step).toMatchObject({ status: 'pending', transaction: { id: 'transaction-1' } })
    expect(service.transactions.size).toBe(1)
  })

  test('behavior: after something else, too, the first is created once', async () => {
    const { result, service, open, unmount } = await visitWithLostAnswer()
    act(() => result.current.reset())
    await act(() => result.current.send(other))
    expect(result.current.step).toMatchObject({ status: 'pending', transaction: { id: 'transaction-2' } })
    service.end('transaction-2', { status: 'success' })
    await waitFor(() => expect(result.current.step.status).toBe('succeeded'))
    unmount()
    const again = open()
    await waitFor(() => expect(again.result.current.step).toEqual({ status: 'unanswered', params: send }))
    await act(() => again.result.current.send(send))
    expect(again.result.current.step).toMatchObject({ transaction: { id: 'transaction-1' } })
    expect(service.transactions.size).toBe(2)
  })

  test('behavior: a retry that is refused does not say that the first was not created', async () => {
    const { result, service } = await visitWithLostAnswer()
    service.script.onRequest = async ({ path }) =>
      path.endsWith('/transactions')
        ? Response.json({ error: true, message: 'No user is signed in' }, { status: 401 })
        : undefined
    await act(() => result.current.send(send))
    expect(result.current.step).toMatchObject({ error: { code: 'api.unauthorized' } })
    delete service.script.onRequest
    await act(() => result.current.send(send))
    expect(service.transactions.size).toBe(1)
  })

  test('behavior: a reload resumes the transaction without asking for a signature', async () => {
    const { service, result, open, unmount, user } = await visit()
    const { answer } = user.sign
    user.reject()
    await act(() => result.current.send(send))
    unmount()
    user.sign.answer = answer
    const again = open()
    await waitFor(() => expect(again.result.current.step.status).toBe('awaiting-approval'))
    expect(user.countAsked()).toBe(1)
    await act(() => again.result.current.approve())
    expect(again.result.current.step.status).toBe('pending')
    expect(service.posts('/transactions')).toHaveLength(1)
  })

  test("behavior: another user's data in the tab is forgotten", async () => {
    const { service, result, open, unmount } = await visit()
    await act(() => result.current.send(send))
    unmount()
    service.transactions.clear()
    const again = open()
    await waitFor(() => expect(service.asked.at(-1)?.method).toBe('GET'))
    await waitFor(() => expect(again.result.current.step).toEqual({ status: 'idle' }))
    expect(sessionStorage.length).toBe(0)
  })

  test('behavior: storage that refuses everything does no harm', async () => {
    const user = await createUser()
    const service = createWalletService(user.account.address)
    const refuse = (): never => {
      throw new Error('blocked')
    }
    const storage = { getItem: refuse, setItem: refuse, removeItem: refuse }
    const { result } = renderWalletHook({ service, user }, () => useTransaction({ walletLocator, storage }))
    await act(() => result.current.send(send))
    expect(result.current.step.status).toBe('pending')
  })

  test('parameters: transactionId follows what is there', async () => {
    const user = await createUser()
    const service = createWalletService(user.account.address)
    const { id } = service.create(null)
    const { result } = renderWalletHook({ service, user }, () =>
      useTransaction({ walletLocator, transactionId: id }),
    )
    await waitFor(() => expect(result.current.step.status).toBe('awaiting-approval'))
    await act(() => result.current.approve())
    service.end(id, { status: 'success' })
    await waitFor(() => expect(result.current.step.status).toBe('succeeded'))
    expect(service.posts('/transactions')).toEqual([])
  })
})

describe('another user signs in', () => {
  const next = `0x${'b2'.repeat(20)}`

  test('behavior: who comes next in the tab sees nothing of the last one’s', async () => {
    const { service, user, queries, result, unmount } = await visitWithLostAnswer()
    expect(result.current.step.status).toBe('failed')
    unmount()
    service.signIn(next)
    const seen: string[] = []
    const { result: theirs } = renderWalletHook({ service, user, queryClient: queries }, () => {
      const sending = useTransaction({ walletLocator })
      seen.push(sending.step.status)
      return sending
    })
    await waitFor(() => expect(sessionStorage.length).toBe(0))
    expect(new Set(seen)).toEqual(new Set(['idle']))
    await act(() => theirs.current.send(send))
    const [first, second] = service.posts('/transactions')
    expect(second?.key).not.toBe(first?.key)
  })

  test("behavior: after a reload one user does not continue another's transaction", async () => {
    const { service, open, unmount } = await visitWithLostAnswer()
    unmount()
    service.signIn(next)
    const again = open()
    await waitFor(() => expect(sessionStorage.length).toBe(0))
    expect(again.result.current.step).toEqual({ status: 'idle' })
  })

  test('behavior: a click on what was another’s clears it, and sends nothing', async () => {
    const { service, open, unmount } = await visitWithLostAnswer()
    unmount()
    const again = open()
    await waitFor(() => expect(again.result.current.step.status).toBe('unanswered'))
    service.signIn(next)
    await act(() => again.result.current.send(send))
    expect(again.result.current.step).toEqual({ status: 'idle' })
    expect(service.posts('/transactions')).toHaveLength(1)
  })

  test('error: while signed out nothing is sent or forgotten', async () => {
    const { service, open, unmount } = await visitWithLostAnswer()
    unmount()
    service.script.onRequest = async () =>
      Response.json({ error: true, message: 'No user is signed in' }, { status: 401 })
    const again = open()
    await act(() => again.result.current.send(send))
    expect(again.result.current.step).toMatchObject({ error: { code: 'api.unauthorized' } })
    delete service.script.onRequest
    await act(() => again.result.current.send(send))
    expect(service.transactions.size).toBe(1)
  })

  test('parameters: forgetTransactions leaves nothing, of pages that are open and of those before', async () => {
    const { service, queries, result } = await visit()
    sessionStorage.setItem('kassa.transaction.http://wallet.test/api me:evm-smart-wallet old', '[]')
    sessionStorage.setItem('other', 'kept')
    service.loseAnswers()
    await act(() => result.current.send(send))
    act(() => forgetTransactions(queries))
    expect(result.current.step).toEqual({ status: 'idle' })
    expect(Object.keys(sessionStorage)).toEqual(['other'])
  })
})

test('parameters: name tells apart what is sent at once', async () => {
  const user = await createUser()
  const service = createWalletService(user.account.address)
  const { result } = renderWalletHook({ service, user }, () => ({
    one: useTransaction({ walletLocator, name: 'one' }),
    same: useTransaction({ walletLocator, name: 'one' }),
    two: useTransaction({ walletLocator, name: 'two' }),
  }))
  await act(() => result.current.one.send(send))
  expect(result.current.same.step).toEqual(result.current.one.step)
  expect(result.current.two.step.status).toBe('idle')
  await act(() => result.current.two.send(send))
  expect(service.transactions.size).toBe(2)
})

test('behavior: reset forgets nothing that is on its way', async () => {
  const { result } = await visit()
  await act(() => result.current.send(send))
  act(() => result.current.reset())
  expect(result.current.step.status).toBe('pending')
})

test('error: wallet.client-missing, and the client of a checkout is not taken for one', () => {
  const { client } = createWalletService('x')
  const useInCheckout = () => useTransaction({ walletLocator })
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={new QueryClient()}>
      <CheckoutProvider client={client}>{children}</CheckoutProvider>
    </QueryClientProvider>
  )
  expect(() => renderHook(useInCheckout, { wrapper })).toThrow(
    expect.objectContaining({ code: 'wallet.client-missing', context: { name: 'useTransaction' } }),
  )
})

test('error: wallet.handler-missing where nothing knows of wallets, and nothing is kept', async () => {
  const { service, result } = await visit()
  service.script.onRequest = async () => Response.json({ error: true, message: 'Not found' }, { status: 404 })
  await act(() => result.current.send(send))
  expect(result.current.step).toMatchObject({
    status: 'failed',
    error: { code: 'wallet.handler-missing' },
    isOutcomeKnown: true,
  })
  expect(sessionStorage.length).toBe(0)
})

describe('whether it is known what came of it', () => {
  test('behavior: not while the answer to an approval is lost', async () => {
    const { service, result, user } = await visit()
    service.script.onRequest = async ({ path }) => {
      if (path.endsWith('/approvals')) throw new TypeError('connection lost')
      return undefined
    }
    await act(() => result.current.send(send))
    expect(result.current.step).toMatchObject({
      status: 'failed',
      error: { code: 'api.unreachable' },
      transaction: { status: 'awaiting-approval' },
      isOutcomeKnown: false,
    })
    // Declined is the second one.
    user.reject()
    await act(() => result.current.approve())
    expect(result.current.step).toMatchObject({
      error: { code: 'transaction.rejected' },
      isOutcomeKnown: false,
    })
  })

  test('behavior: it is where nothing was asked for yet', async () => {
    const { service, result } = await visit()
    service.script.onRequest = async () => {
      throw new TypeError('connection lost')
    }
    await act(() => result.current.send(send))
    expect(result.current.step).toMatchObject({ error: { code: 'api.unreachable' }, isOutcomeKnown: true })
  })

  test('behavior: it is where the signer declined, and where the chain has spoken', async () => {
    const { service, result, user } = await visit()
    const { answer } = user.sign
    user.reject()
    await act(() => result.current.send(send))
    expect(result.current.step).toMatchObject({ status: 'failed', isOutcomeKnown: true })
    user.sign.answer = answer
    await act(() => result.current.approve())
    service.end('transaction-1', { status: 'failed', error: { reason: 'failed_to_land_on_chain' } })
    await waitFor(() =>
      expect(result.current.step).toMatchObject({
        error: { code: 'transaction.failed' },
        isOutcomeKnown: true,
      }),
    )
  })

  test('behavior: not for who is signed out while it is on its way', async () => {
    const { service, result } = await visit()
    await act(() => result.current.send(send))
    service.script.onRequest = async () =>
      Response.json({ error: true, message: 'No user is signed in' }, { status: 401 })
    await waitFor(() =>
      expect(result.current.step).toMatchObject({
        error: { code: 'api.unauthorized' },
        isOutcomeKnown: false,
      }),
    )
  })
})

test('error: what follows one transaction sends no other', async () => {
  const user = await createUser()
  const service = createWalletService(user.account.address)
  const { id } = service.create(null)
  const { result } = renderWalletHook({ service, user }, () =>
    useTransaction({ walletLocator, transactionId: id }),
  )
  await waitFor(() => expect(result.current.step.status).toBe('awaiting-approval'))
  const forced: object = result.current
  const send = Reflect.get(forced, 'send')
  await expect(send({ chain: 'base-sepolia', calls: [] })).rejects.toThrow(TypeError)
  expect([service.transactions.size, user.countAsked()]).toEqual([1, 0])
})
