import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { isKassaError } from '../../../src/errors/KassaError.js'
import { followTransaction, type SentEvmAttempt } from '../../../src/pay/evm/followTransaction.js'
import {
  createAttempt,
  createScriptedNode,
  hashOf,
  payer,
  refuse,
  stranger,
  transactionOf,
} from '../../helpers/scriptedNode.js'

const minuteMs = 60_000
const other = hashOf('b')

/** Follows an attempt on a scripted chain, by a clock that the test moves. */
const start = (sent: SentEvmAttempt = createAttempt(), node = createScriptedNode()) => {
  const clock = { nowMs: 1_000 }
  const moves: { attempt: SentEvmAttempt; isRepriced: boolean }[] = []
  let known = 0
  const listener = {
    onMoved: (attempt: SentEvmAttempt, isRepriced: boolean) => void moves.push({ attempt, isRepriced }),
    onKnown: () => {
      known += 1
    },
  }
  const wait = followTransaction({ config: node.config, now: () => clock.nowMs }, sent, listener)
  const ended = wait.promise.then(
    (txId) => ({ txId }),
    (error: unknown) => ({ error: isKassaError(error) ? { code: error.code, ...error.context } : error }),
  )
  let outcome: Awaited<typeof ended> | undefined
  void ended.then((value) => {
    outcome = value
  })
  return {
    sent,
    node,
    clock,
    moves,
    ended,
    stop: wait.stop,
    getKnown: () => known,
    getOutcome: () => outcome,
    /** Waits until the node has been looked at so many times more. */
    look: async (times = 3): Promise<void> => {
      const count = () => node.asked.filter((method) => method === 'eth_getTransactionReceipt').length
      const until = count() + times
      while (count() < until && !outcome) await sleep(1)
      await sleep(5)
    },
  }
}

const running: { stop(): void }[] = []
const follow = (...given: Parameters<typeof start>) => {
  const followed = start(...given)
  running.push(followed)
  return followed
}

afterEach(() => {
  for (const followed of running.splice(0)) followed.stop()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('a payment in a block', () => {
  test('default: its hash, when its log is there', async () => {
    const { sent, node, ended } = follow()
    node.blocks.push([transactionOf(sent)])
    expect(await ended).toEqual({ txId: sent.txId })
  })

  test('behavior: a transfer that leaves no log is known by what it sends', async () => {
    const sent = createAttempt({ data: '0x' })
    const node = createScriptedNode()
    node.blocks.push([transactionOf(sent)])
    expect(await follow(sent, node).ended).toEqual({ txId: sent.txId })
  })

  test.each([
    ['another amount in its log', createAttempt(), { logged: 4n }],
    ['no log', createAttempt(), { logged: undefined }],
    ['another amount sent', createAttempt({ data: '0x' }), { value: 4n }],
  ])('behavior: success alone does not make it the payment: %s', async (_, sent, fields) => {
    const node = createScriptedNode()
    node.blocks.push([transactionOf(sent, fields)])
    const followed = follow(sent, node)
    await followed.look(3)
    expect(followed.getOutcome()).toBeUndefined()
    expect(followed.moves).toEqual([])
  })

  test('error: pay.reverted, with the reason', async () => {
    const { sent, node, ended } = follow()
    node.blocks.push([transactionOf(sent, { isReverted: true })])
    expect(await ended).toEqual({
      error: { code: 'pay.reverted', txId: sent.txId, reason: 'it would pass now' },
    })
  })

  test.each([
    ['another call', createAttempt(), { value: 4n }],
    ['the call of a contract wallet', createAttempt({ isContractWallet: true }), {}],
    ['a bundle of calls', createAttempt({ callsId: 'bundle' }), {}],
  ])('behavior: a revert of %s says nothing about the payment', async (_, sent, fields) => {
    const followed = follow(sent)
    followed.node.blocks.push([transactionOf(sent, { ...fields, isReverted: true })])
    await followed.look(3)
    expect(followed.getOutcome()).toBeUndefined()
  })
})

describe('a payment that waits', () => {
  test('behavior: a node that knows it is told of, and its sender and nonce are learned', async () => {
    const followed = follow(createAttempt({ nonce: undefined }))
    followed.node.pending.push(transactionOf(followed.sent, { from: stranger, nonce: 7 }))
    await followed.look()
    expect(followed.getKnown()).toBeGreaterThan(0)
    expect(followed.moves).toEqual([
      { attempt: { ...followed.sent, nonce: 7, payerAddress: stranger }, isRepriced: false },
    ])
  })

  test.each([
    ['its nonce', { nonce: 4 }],
    ['its sender', { from: stranger }],
  ])('behavior: %s alone is learned too', async (_, fields) => {
    const followed = follow()
    followed.node.pending.push(transactionOf(followed.sent, fields))
    await followed.look()
    expect(followed.moves).toHaveLength(1)
  })

  test('behavior: what is known already is not told again', async () => {
    const followed = follow()
    followed.node.pending.push(transactionOf(followed.sent))
    await followed.look()
    expect(followed.moves).toEqual([])
  })

  test('behavior: nothing is learned from a hash that belongs to something else', async () => {
    const followed = follow()
    followed.node.pending.push(transactionOf(followed.sent, { value: 4n, nonce: 9 }))
    await followed.look()
    expect(followed.moves).toEqual([])
  })

  test.each(['eth_getTransactionReceipt', 'eth_getTransactionByHash', 'eth_getTransactionCount'])(
    'behavior: a node that cannot answer %s says nothing',
    async (broken) => {
      const node = createScriptedNode()
      node.script.onRequest = (method) => (method === broken ? refuse(method) : undefined)
      const followed = follow(createAttempt(), node)
      followed.clock.nowMs += 60 * minuteMs
      await followed.look()
      expect(followed.getOutcome()).toBeUndefined()
    },
  )

  test('behavior: a node that is away says nothing', async () => {
    const followed = follow()
    followed.node.script.onRequest = (method) => refuse(method)
    followed.clock.nowMs += 60 * minuteMs
    await followed.look()
    expect(followed.getOutcome()).toBeUndefined()
    followed.node.script.onRequest = undefined
    followed.node.blocks.push([transactionOf(followed.sent)])
    expect(await followed.ended).toEqual({ txId: followed.sent.txId })
  })
})

describe('a nonce that another transaction has used', () => {
  const replace = async (fields: Parameters<typeof transactionOf>[1]) => {
    const followed = follow()
    followed.node.blocks.push([transactionOf(followed.sent, { hash: other, ...fields })])
    return followed
  }

  test('behavior: a speed-up has the payment in its block', async () => {
    const { sent, moves, ended } = await replace({})
    expect(await ended).toEqual({ txId: other })
    expect(moves).toEqual([{ attempt: { ...sent, txId: other }, isRepriced: true }])
  })

  test('behavior: a speed-up is followed while it waits', async () => {
    const followed = follow()
    followed.node.pending.push(transactionOf(followed.sent, { hash: other }))
    await followed.look()
    expect(followed.moves).toEqual([{ attempt: { ...followed.sent, txId: other }, isRepriced: true }])
    expect(followed.getOutcome()).toBeUndefined()
  })

  test('behavior: the hash a contract wallet’s own identifier turns out to be is no speed-up', async () => {
    const followed = follow(createAttempt({ isContractWallet: true }))
    followed.node.blocks.push([transactionOf(followed.sent, { hash: other })])
    expect(await followed.ended).toEqual({ txId: other })
    expect(followed.moves).toMatchObject([{ isRepriced: false }])
  })

  test('error: pay.cancelled', async () => {
    const { ended } = await replace({ to: payer, value: 0n, input: '0x' })
    expect(await ended).toEqual({ error: { code: 'pay.cancelled', txId: other } })
  })

  test('error: pay.replaced', async () => {
    const { ended } = await replace({ to: stranger })
    expect(await ended).toEqual({ error: { code: 'pay.replaced', txId: other } })
  })

  test('behavior: one look is not enough, because a node may lag', async () => {
    const sent = createAttempt()
    const node = createScriptedNode()
    node.blocks.push([transactionOf(sent, { hash: other, to: stranger })])
    await follow(sent, node).ended
    expect(node.asked.filter((method) => method === 'eth_getTransactionReceipt')).toHaveLength(2)
  })

  test('behavior: a payment that is known again between two looks counts as not replaced', async () => {
    const followed = follow()
    const replacement = transactionOf(followed.sent, { hash: other, to: stranger })
    let looks = 0
    followed.node.script.onRequest = (method) => {
      if (method !== 'eth_getTransactionReceipt') return undefined
      looks += 1
      // The node lags in every second look.
      const isLagging = looks % 2 === 0
      followed.node.blocks[1] = isLagging ? [] : [replacement]
      followed.node.pending.splice(0, 1, ...(isLagging ? [transactionOf(followed.sent)] : []))
      return undefined
    }
    while (looks < 8) await sleep(1)
    expect(followed.getOutcome()).toBeUndefined()
  })

  test.each([
    ['the nonce is unused', createAttempt(), { nonce: 2 }],
    ['the nonce is unknown', createAttempt({ nonce: undefined }), {}],
    ['the payer is a contract', createAttempt({ isContractWallet: true }), {}],
  ])('behavior: it is not called replaced where %s', async (_, sent, fields) => {
    const followed = follow(sent)
    followed.node.blocks.push([transactionOf(sent, { hash: other, to: stranger, ...fields })])
    await followed.look(4)
    expect(followed.getOutcome()).toBeUndefined()
  })

  test('behavior: it is not called replaced by itself when only its receipt is late', async () => {
    const sent = createAttempt()
    const node = createScriptedNode()
    node.blocks.push([transactionOf(sent)])
    node.script.onRequest = (method) => {
      if (method === 'eth_getTransactionReceipt' || method === 'eth_getTransactionByHash') return null
      return method === 'eth_getLogs' ? [] : undefined
    }
    const followed = follow(sent, node)
    await followed.look(4)
    expect(followed.getOutcome()).toBeUndefined()
    followed.node.script.onRequest = undefined
    expect(await followed.ended).toEqual({ txId: followed.sent.txId })
    expect(followed.moves).toEqual([])
  })
})

describe('a payment that no node knows', () => {
  test('error: pay.dropped after two minutes, and not before', async () => {
    const followed = follow()
    followed.clock.nowMs += 2 * minuteMs
    await followed.look()
    expect(followed.getOutcome()).toBeUndefined()
    followed.clock.nowMs += 1
    expect(await followed.ended).toEqual({ error: { code: 'pay.dropped', txId: followed.sent.txId } })
  })

  test('behavior: the time counts from when a node last knew it', async () => {
    const followed = follow()
    followed.node.pending.push(transactionOf(followed.sent))
    followed.clock.nowMs += 2 * minuteMs
    await followed.look()
    followed.node.pending.pop()
    followed.clock.nowMs += 2 * minuteMs
    await followed.look()
    expect(followed.getOutcome()).toBeUndefined()
    followed.clock.nowMs += 1
    expect(await followed.ended).toMatchObject({ error: { code: 'pay.dropped' } })
  })

  test.each([
    ['a contract wallet', { isContractWallet: true }],
    ['a bundle of calls', { callsId: 'bundle' }],
  ])('error: pay.uncertain after ten minutes for %s', async (_, fields) => {
    const followed = follow(createAttempt(fields))
    followed.clock.nowMs += 10 * minuteMs
    await followed.look()
    expect(followed.getOutcome()).toBeUndefined()
    followed.clock.nowMs += 1
    expect(await followed.ended).toMatchObject({ error: { code: 'pay.uncertain' } })
  })

  test('error: pay.uncertain when the hash belongs to another transaction', async () => {
    const followed = follow()
    followed.node.blocks.push([transactionOf(followed.sent, { value: 4n, logged: 4n, nonce: 2 })])
    followed.clock.nowMs += 2 * minuteMs + 1
    expect(await followed.ended).toMatchObject({ error: { code: 'pay.uncertain' } })
  })

  test('behavior: a bundle’s own identifier is not looked up as a hash', async () => {
    const followed = follow(createAttempt({ txId: hashOf('c'), callsId: hashOf('c') }))
    while (followed.node.asked.filter((method) => method === 'eth_getLogs').length < 2) await sleep(1)
    expect(followed.node.asked).not.toContain('eth_getTransactionReceipt')
    expect(followed.node.asked).not.toContain('eth_getTransactionByHash')
  })
})

describe('when it looks', () => {
  test('behavior: never on a chain that the app does not have', async () => {
    const followed = follow(createAttempt({ chainId: 10 }))
    await sleep(20)
    expect(followed.node.asked).toEqual([])
    expect(followed.getOutcome()).toBeUndefined()
  })

  test('behavior: not while the page is hidden, and at once when the buyer returns', async () => {
    const page = Object.assign(new EventTarget(), { visibilityState: 'hidden' })
    vi.stubGlobal('document', page)
    vi.stubGlobal('window', new EventTarget())
    const followed = follow()
    followed.node.blocks.push([transactionOf(followed.sent)])
    await sleep(20)
    expect(followed.node.asked).toEqual([])
    page.visibilityState = 'visible'
    page.dispatchEvent(new Event('visibilitychange'))
    expect(await followed.ended).toEqual({ txId: followed.sent.txId })
  })

  test('behavior: less and less often, but at least every 15 s', async () => {
    vi.useFakeTimers()
    const node = createScriptedNode()
    Object.assign(node.config.getClient(), { pollingInterval: 10_000 })
    const sent = createAttempt()
    node.pending.push(transactionOf(sent))
    const looks: number[] = []
    node.script.onRequest = (method) => {
      if (method === 'eth_getTransactionReceipt') looks.push(Date.now())
      return undefined
    }
    follow(sent, node)
    await vi.advanceTimersByTimeAsync(80_000)
    const pauses = looks.slice(1).map((at, index) => Math.round(at - (looks[index] ?? 0)))
    expect(pauses).toEqual([10_000, 11_000, 12_100, 13_310, 14_641, 15_000])
  })

  test('behavior: a stopped one tells nothing more, and ends with the hash', async () => {
    const followed = follow()
    await followed.look(1)
    followed.stop()
    followed.node.pending.push(transactionOf(followed.sent, { nonce: 9 }))
    expect(await followed.ended).toEqual({ txId: followed.sent.txId })
    expect(followed.moves).toEqual([])
    expect(followed.getKnown()).toBe(0)
    const { length } = followed.node.asked
    await sleep(20)
    expect(followed.node.asked).toHaveLength(length)
  })

  test('behavior: one that is stopped while the node answers tells nothing either', async () => {
    const node = createScriptedNode()
    const sent = createAttempt()
    node.pending.push(transactionOf(sent, { nonce: 9 }))
    let answer = (): void => undefined
    node.script.onRequest = (method) =>
      method === 'eth_getTransactionReceipt'
        ? new Promise((resolve) => {
            answer = () => resolve(undefined)
          })
        : undefined
    const followed = follow(sent, node)
    await sleep(5)
    followed.stop()
    answer()
    await followed.ended
    expect(followed.moves).toEqual([])
    expect(followed.getKnown()).toBe(0)
  })
})
