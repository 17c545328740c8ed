import { describe, expect, test } from 'vitest'
import { findPayment } from '../../../src/pay/evm/findPayment.js'
import { resumePayment } from '../../../src/pay/resumePayment.js'
import { orders } from '../../../src/testing/orders.js'
import { createPayContext, unpaid, withPayment } from '../../helpers/payContext.js'
import {
  createAttempt,
  createScriptedNode,
  hashOf,
  payer,
  refuse,
  stranger,
  transactionOf,
} from '../../helpers/scriptedNode.js'

const attempt = createAttempt()
const unsent = createAttempt({ txId: undefined as never })
const other = hashOf('b')

describe('findPayment', () => {
  test('default: nothing, and nothing that waits', async () => {
    expect(await findPayment(createScriptedNode().config, unsent)).toEqual({
      txId: undefined,
      hasOpenTransaction: false,
    })
  })

  test('behavior: by its log, the newest, in no block before the attempt', async () => {
    const node = createScriptedNode()
    node.blocks.push([transactionOf(attempt, { hash: other })], [transactionOf(attempt)])
    expect((await findPayment(node.config, unsent)).txId).toBe(attempt.txId)
    expect((await findPayment(node.config, { ...unsent, fromBlock: '3' })).txId).toBeUndefined()
    expect((await findPayment(node.config, { ...unsent, fromBlock: undefined })).txId).toBeUndefined()
  })

  test.each([
    ['another payer’s', { from: stranger }],
    ['of another amount', { logged: 4n }],
  ])('behavior: a log %s is not it', async (_, fields) => {
    const node = createScriptedNode()
    node.blocks.push([transactionOf(attempt, fields)])
    expect((await findPayment(node.config, unsent)).txId).toBeUndefined()
  })

  test('behavior: a node that refuses the whole range is asked for its latest thousand blocks', async () => {
    const node = createScriptedNode()
    node.blocks.push([transactionOf(attempt, { hash: other })])
    while (node.blocks.length < 1_004) node.blocks.push([])
    const ranges: [string, unknown][] = []
    node.script.onRequest = (method, [first]) => {
      if (method !== 'eth_getLogs') return undefined
      const { fromBlock, toBlock } = first as { fromBlock: string; toBlock: string }
      ranges.push([fromBlock, toBlock])
      return ranges.length % 2 ? refuse(method) : undefined
    }
    expect((await findPayment(node.config, unsent)).txId).toBeUndefined()
    node.blocks[3] = [transactionOf(attempt)]
    expect((await findPayment(node.config, unsent)).txId).toBe(attempt.txId)
    expect((await findPayment(node.config, { ...unsent, fromBlock: '900' })).txId).toBeUndefined()
    expect(ranges.map(([from]) => Number(from))).toEqual([0, 3, 0, 3, 900, 900])
    expect(new Set(ranges.map(([, to]) => to))).toEqual(new Set(['latest']))
  })

  test('behavior: a young chain is asked from its first block', async () => {
    const node = createScriptedNode()
    node.blocks.push([transactionOf(attempt)])
    let asked = 0
    node.script.onRequest = (method) => {
      asked += method === 'eth_getLogs' ? 1 : 0
      return method === 'eth_getLogs' && asked === 1 ? refuse(method) : undefined
    }
    expect((await findPayment(node.config, unsent)).txId).toBe(attempt.txId)
  })

  test('behavior: a node that refuses both is not an error', async () => {
    const node = createScriptedNode()
    node.script.onRequest = (method) => (method === 'eth_getLogs' ? refuse(method) : undefined)
    expect((await findPayment(node.config, unsent)).txId).toBeUndefined()
  })

  test('behavior: among what waits, from this account with these calls', async () => {
    const node = createScriptedNode()
    node.pending.push(transactionOf(attempt, { hash: other, from: stranger }))
    node.pending.push(transactionOf(attempt, { hash: hashOf('c'), value: 4n }))
    expect(await findPayment(node.config, unsent)).toEqual({ txId: undefined, hasOpenTransaction: true })
    node.pending.push(transactionOf(attempt))
    expect(await findPayment(node.config, unsent)).toEqual({ txId: attempt.txId, hasOpenTransaction: false })
    node.script.onRequest = (_, params) => (params[0] === 'pending' ? refuse('pending') : undefined)
    expect(await findPayment(node.config, unsent)).toEqual({ txId: undefined, hasOpenTransaction: true })
  })

  test('behavior: a plain transfer is found by its hash alone', async () => {
    const transfer = createAttempt({ data: '0x', to: stranger })
    const node = createScriptedNode()
    node.blocks.push([transactionOf(transfer)])
    expect((await findPayment(node.config, transfer)).txId).toBe(transfer.txId)
    expect((await findPayment(node.config, { ...transfer, txId: undefined })).txId).toBeUndefined()
    expect((await findPayment(node.config, { ...transfer, valueWei: '6' })).txId).toBeUndefined()
    expect((await findPayment(node.config, { ...transfer, callsId: transfer.txId })).txId).toBeUndefined()
  })

  test('error: the node’s, when it is away', async () => {
    const node = createScriptedNode()
    node.script.onRequest = (method) => refuse(method)
    await expect(findPayment(node.config, unsent)).rejects.toThrow('missing trie node')
  })
})

describe('resumePayment', () => {
  const resume = async (
    attempts: Parameters<typeof createPayContext>[0],
    { order = unpaid, ...options }: { order?: typeof unpaid; isAgain?: boolean } = {},
    node = createScriptedNode(),
  ) => {
    const world = createPayContext(attempts, node)
    const result = await resumePayment(world.context, order, options).catch((error) => error.code)
    return { ...world, result, list: () => world.context.attemptStore.list('order') }
  }

  test('default: nothing to resume', async () => {
    expect(await resume([])).toMatchObject({ result: false, steps: [] })
  })

  test('behavior: an order that the service knows to be paid', async () => {
    const received = { amount: '0.042', currency: 'eth', chain: 'base-sepolia', txId: other }
    const order = withPayment({ status: 'in-progress', received })
    expect(await resume([attempt], { order })).toMatchObject({
      result: true,
      steps: [{ status: 'paid', txId: other }],
    })
    expect(await resume([unsent, attempt], { order: withPayment({ status: 'in-progress' }) })).toMatchObject({
      steps: [{ status: 'paid', txId: attempt.txId }],
    })
  })

  test('error: pay.uncertain for one without a hash, and for one that was dropped', async () => {
    expect((await resume([unsent])).result).toBe('pay.uncertain')
    expect((await resume([createAttempt({ isDropped: true })])).result).toBe('pay.dropped')
  })

  test('behavior: one that the service returned is over', async () => {
    const received = { amount: '1', currency: 'eth', chain: 'base-sepolia', txId: attempt.txId }
    const { result, list } = await resume([attempt], { order: withPayment({ received }) })
    expect([result, list()]).toEqual([false, []])
  })

  test('behavior: when the buyer pays again, one that is on the chain after all is followed', async () => {
    const node = createScriptedNode()
    node.blocks.push([transactionOf(attempt)])
    const dropped = createAttempt({ isDropped: true })
    const { result, list } = await resume([dropped], { isAgain: true }, node)
    expect([result, list()]).toEqual([true, [attempt]])
  })

  test('behavior: when the buyer pays again and the chain has nothing, the wallet is asked', async () => {
    const { result, list } = await resume([unsent], { isAgain: true })
    expect(result).toBe(false)
    expect(list()).toHaveLength(1)
  })

  test('behavior: one that the service returned does not count as found', async () => {
    const node = createScriptedNode()
    node.blocks.push([transactionOf(attempt)])
    const received = { amount: '1', currency: 'eth', chain: 'base-sepolia', txId: attempt.txId }
    const order = withPayment({ received })
    expect((await resume([unsent], { order, isAgain: true }, node)).result).toBe(false)
  })

  test('error: pay.chain-unavailable when the buyer pays again and the node is away', async () => {
    const node = createScriptedNode()
    node.script.onRequest = (method) => refuse(method)
    const order = { ...orders.awaitingPaymentNative, orderId: 'order' }
    expect((await resume([unsent], { order, isAgain: true }, node)).result).toBe('pay.chain-unavailable')
    // A chain that the app does not have any more is not asked.
    const elsewhere = createAttempt({ txId: undefined as never, chainId: 10, payerAddress: payer })
    expect((await resume([elsewhere], { order, isAgain: true }, node)).result).toBe(false)
  })
})
