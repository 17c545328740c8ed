import { describe, expect, test } from 'vitest'
import { findReplacement } from '../../../src/pay/evm/findReplacement.js'
import {
  createAttempt,
  createScriptedNode,
  hashOf,
  payer,
  refuse,
  type ScriptedTransaction,
  stranger,
  transactionOf,
} from '../../helpers/scriptedNode.js'

const attempt = { ...createAttempt(), nonce: 3 }
const other = hashOf('b')

/** A chain of six blocks, of which one has these transactions. */
const createChain = (blockNumber: number, ...sent: ScriptedTransaction[]) => {
  const node = createScriptedNode()
  for (let number = 1; number < 6; number += 1) node.blocks.push(number === blockNumber ? sent : [])
  return node
}

const empty = { hash: other, input: '0x', value: 0n } as const

describe('findReplacement', () => {
  test.each([0, 1, 2, 3, 4, 5])(
    'behavior: the same payment at another price, in block %i of 5',
    async (at) => {
      const node = createChain(at)
      node.blocks[at] = [transactionOf(attempt, { hash: other })]
      expect(await findReplacement(node.config, attempt)).toEqual({ txId: other, kind: 'repriced' })
    },
  )

  test.each([
    ['cancelled', 'nothing to oneself', { ...empty, to: payer }],
    ['replaced', 'an amount to oneself', { ...empty, to: payer, value: 1n }],
    ['replaced', 'nothing to someone else', { ...empty, to: stranger }],
    ['replaced', 'a new contract', { ...empty, to: null }],
    ['replaced', 'the same call with another amount', { hash: other, value: 4n }],
  ] as const)('behavior: %s, by %s', async (kind, _, fields) => {
    const node = createChain(3, transactionOf(attempt, fields))
    expect(await findReplacement(node.config, attempt)).toEqual({ txId: other, kind })
  })

  test('behavior: of the transactions of a block, the one of this account with this nonce', async () => {
    const node = createChain(
      4,
      transactionOf(attempt, { hash: hashOf('c'), from: stranger }),
      transactionOf(attempt, { hash: hashOf('d'), nonce: 2 }),
      transactionOf(attempt, { hash: other }),
      transactionOf(attempt, { hash: hashOf('e'), nonce: 4 }),
    )
    expect(await findReplacement(node.config, attempt)).toEqual({ txId: other, kind: 'repriced' })
  })

  test('behavior: blocks before the attempt are not searched', async () => {
    const node = createChain(2, transactionOf(attempt, { hash: other }))
    expect(await findReplacement(node.config, { ...attempt, fromBlock: '3' })).toBeUndefined()
    expect(await findReplacement(node.config, { ...attempt, fromBlock: '2' })).toMatchObject({ txId: other })
  })

  test('behavior: undefined when the nonce is not used after all', async () => {
    expect(await findReplacement(createChain(3).config, attempt)).toBeUndefined()
  })

  test('behavior: without a first block, the node is not asked', async () => {
    const node = createChain(3, transactionOf(attempt))
    expect(await findReplacement(node.config, { ...attempt, fromBlock: undefined })).toBeUndefined()
    expect(node.asked).toEqual([])
  })

  test('behavior: undefined when the node has no history that far back', async () => {
    const node = createChain(3, transactionOf(attempt))
    node.script.onRequest = (method) => (method === 'eth_getTransactionCount' ? refuse(method) : undefined)
    expect(await findReplacement(node.config, attempt)).toBeUndefined()
  })
})
