import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SolanaPaymentAttempt } from '../../../src/chain/index.js'
import { checkSolanaPayment } from '../../../src/chain/solana/checkSolanaPayment.js'
import { toBase64 } from '../../../src/chain/solana/transaction.js'
import { findPayment, lagBlocks } from '../../../src/pay/solana/findPayment.js'
import { openNode } from '../../../src/pay/solana/node.js'
import { createShop, type Shop } from '../../helpers/createShop.js'
import { appOf, createSolanaBuyer, solanaOf } from '../../helpers/createSolanaBuyer.js'
import { createScriptedSolanaNode, type Script } from '../../helpers/scriptedSolanaNode.js'
import { createSolanaKey } from '../../helpers/scriptedSolanaWallet.js'
import { editMessage, withAmount } from '../../helpers/solanaMessages.js'

let shop: Shop
beforeAll(async () => {
  // Time stands still: each test makes its own blocks.
  shop = await createShop({ solana: { slotMs: 50 } })
})
afterAll(async () => {
  // What the service has yet to do needs blocks.
  solanaOf(shop).startTime()
  await shop.close()
})

const tick = (blocks: number): void => {
  for (let left = blocks; left > 0; left--) solanaOf(shop).node.tick()
}

/** A buyer, the attempt that its page would store now, and a node to search it with. */
const createAttempt = async () => {
  const { startTime, stopTime, node } = solanaOf(shop)
  startTime()
  const buyer = await createSolanaBuyer(shop)
  stopTime()
  const { message, recipient, payerAddress, blockhash } = checkSolanaPayment(buyer.order, appOf(shop))
  const { script, fetch } = createScriptedSolanaNode()
  const opened = openNode(node.rpcUrl, fetch)
  const { slot, lastBlockHeight } = await opened.getTip(0n)
  const attempt: SolanaPaymentAttempt = {
    id: 'attempt',
    orderId: buyer.orderId,
    family: 'solana',
    payerAddress,
    recipient,
    message: toBase64(message),
    attemptedAtMs: 0,
    fromSlot: String(slot),
    lastBlockHeight: String(lastBlockHeight),
  }
  const { cluster } = node
  /** Signs a message, by another key if one is given, and puts it into a block. */
  const land = (sent: Uint8Array, key = buyer.key): string => {
    const signature = cluster.submit(key.sign(sent))
    tick(1)
    return signature
  }
  return {
    buyer,
    message,
    blockhash,
    attempt,
    script,
    cluster,
    land,
    find: () => findPayment(opened, attempt),
  }
}

/** Makes all blocks that could take in an attempt, and those that make them final. */
const expire = (attempt: SolanaPaymentAttempt): void => {
  const { cluster } = solanaOf(shop).node
  while (cluster.blockAt('finalized').height <= BigInt(attempt.lastBlockHeight) + lagBlocks) tick(1)
}

/** Money of a stranger to the account of an order. */
const createDust = async (message: Uint8Array) => {
  const key = createSolanaKey()
  solanaOf(shop).startTime()
  await solanaOf(shop).fund(key.address, 'sol', 1_000_000_000n)
  solanaOf(shop).stopTime()
  const { blockhash } = solanaOf(shop).node.cluster.blockAt('confirmed')
  const send = (units: bigint): Uint8Array =>
    editMessage(withAmount(message, units), (draft) => ({
      feePayer: key.address,
      blockhash,
      instructions: draft.instructions.slice(-1).map((each) => ({
        ...each,
        ...(each.accounts && {
          accounts: each.accounts.map((account, at) =>
            at === 0 ? { ...account, address: key.address as never } : account,
          ),
        }),
      })),
    }))
  return { key, send }
}

describe('findPayment', () => {
  test('default: finds the payment, whatever a wallet has added to it', async () => {
    const { message, land, find } = await createAttempt()
    const fee = {
      programAddress: 'ComputeBudget111111111111111111111111111111',
      data: Uint8Array.from([2, 0, 0, 1, 0]),
    }
    const added = editMessage(message, (draft) => ({
      ...draft,
      instructions: [fee as never, ...draft.instructions],
    }))
    const signature = land(added)
    // Processed is too early to count on.
    expect(await find()).toMatchObject({ txId: undefined, isOver: false })
    tick(2)
    expect(await find()).toMatchObject({ txId: signature })
  })

  test('behavior: it is over only when a final block is far above the last that can take it in', async () => {
    const { attempt, cluster, find } = await createAttempt()
    const last = BigInt(attempt.lastBlockHeight)
    while (cluster.blockAt('confirmed').height <= last) tick(1)
    expect(cluster.blockAt('finalized').height).toBeLessThanOrEqual(last)
    expect(await find()).toMatchObject({ isOver: false })
    // One of several nodes may lag by so much, and not tell.
    while (cluster.blockAt('finalized').height < last + lagBlocks) tick(1)
    expect(await find()).toMatchObject({ isOver: false })
    tick(1)
    expect(await find()).toMatchObject({ txId: undefined, isOver: true })
  })

  test('behavior: the last block that can take it in does, and it is not over', async () => {
    const { attempt, blockhash, message, cluster, find, land } = await createAttempt()
    while (cluster.isBlockhashValid(blockhash, 'processed')) tick(1)
    // One block too late.
    expect(land(message)).toBeDefined()
    tick(2)
    expect(await find()).toMatchObject({ txId: undefined })
    cluster.fork(5)
    const signature = land(message)
    const { height } = cluster.blockAt('processed')
    expect(cluster.isBlockhashValid(blockhash, 'processed')).toBe(true)
    tick(1)
    expect(cluster.isBlockhashValid(blockhash, 'processed')).toBe(false)
    // What the attempt stores is never below it.
    expect(BigInt(attempt.lastBlockHeight)).toBeGreaterThanOrEqual(height)
    expire(attempt)
    expect(await find()).toMatchObject({ txId: signature })
  })

  test('behavior: a failed payment is none', async () => {
    const { buyer, message, cluster, land, find } = await createAttempt()
    land(withAmount(message, 9_800_000_000n))
    const signature = land(message)
    expect(cluster.findTransaction(signature, 'processed')?.error).toBeDefined()
    expect(buyer.listPayments()).not.toContain(signature)
    tick(2)
    expect(await find()).toMatchObject({ txId: undefined, isOver: false })
  })

  test('behavior: a stranger who pays something does not hide it', async () => {
    const { attempt, message, find, land } = await createAttempt()
    const { key, send } = await createDust(message)
    land(send(1_000_000n), key)
    expire(attempt)
    expect(await find()).toMatchObject({ txId: undefined, isOver: true })
  })

  test('behavior: more transactions than a node lists at once do not hide it', async () => {
    const { attempt, message, script, find, land } = await createAttempt()
    const signature = land(message)
    const { key, send } = await createDust(message)
    for (let count = 0; count < 5; count++) land(send(1_000_000n + BigInt(count)), key)
    script.onRequest = pagesOf(2)
    expire(attempt)
    expect(await find()).toMatchObject({ txId: signature })
  })

  test('behavior: so many transactions that the payment may be hidden among them prove nothing', async () => {
    const { attempt, message, script, find, land } = await createAttempt()
    land(message)
    const { key, send } = await createDust(message)
    for (let count = 0; count < 12; count++) land(send(1_000_000n + BigInt(count)), key)
    script.onRequest = pagesOf(1)
    expire(attempt)
    await expect(find()).rejects.toThrow('too many transactions')
  })

  test('behavior: a transaction of the payer’s that pays the order’s account something else leaves it open', async () => {
    const { attempt, message, find, land } = await createAttempt()
    // As a wallet that is a program makes it: the payer is named, and the transfer is inside.
    land(withAmount(message, 400_000_000n))
    expire(attempt)
    expect(await find()).toMatchObject({ txId: undefined, isOver: false })
  })

  test('behavior: a transaction that cannot be decoded leaves it open', async () => {
    const { attempt, message, script, find, land } = await createAttempt()
    const { key, send } = await createDust(message)
    land(send(1_000_000n), key)
    script.onRequest = async (method, _, ask) => {
      if (method !== 'getTransaction') return undefined
      const { result } = (await ask()) as { result: { transaction: [string, string] } }
      const bytes = Buffer.from(result.transaction[0], 'base64')
      // One lookup table more than it has.
      bytes[bytes.length - 1] = 1
      return { result: { ...result, transaction: [bytes.toString('base64'), 'base64'] } }
    }
    expire(attempt)
    expect(await find()).toMatchObject({ txId: undefined, isOver: false })
  })

  test('behavior: what was paid before the wallet was asked is another payment', async () => {
    const { attempt, message, cluster, find, land } = await createAttempt()
    land(message)
    tick(3)
    attempt.fromSlot = String(cluster.blockAt('confirmed').slot)
    expire(attempt)
    expect(await find()).toMatchObject({ txId: undefined, isOver: true })
  })

  test('behavior: an attempt older than the history of nodes is never given up', async () => {
    const { attempt, cluster, find } = await createAttempt()
    for (let slots = 0; slots < 100_001; slots++) cluster.skipSlot()
    expire(attempt)
    expect(await find()).toMatchObject({ txId: undefined, isOver: false })
  })

  test.each([
    ['getEpochInfo', { result: {} }],
    ['getSignaturesForAddress', { result: null }],
    [
      'getSignaturesForAddress',
      { error: { code: -32_016, message: 'Minimum context slot has not been reached' } },
    ],
    [
      'getSignaturesForAddress',
      { error: { code: -32_011, message: 'Transaction history is not available' } },
    ],
    ['getTransaction', { result: null }],
  ])('error: %s answered with %o says nothing', async (wanted, reply) => {
    const { attempt, message, script, find, land } = await createAttempt()
    land(message)
    script.onRequest = (method) => (method === wanted ? reply : undefined)
    expire(attempt)
    await expect(find()).rejects.toThrow()
  })

  test('behavior: the list is asked of a node that has confirmed the final block', async () => {
    const { script, cluster, find } = await createAttempt()
    const slots: unknown[] = []
    script.onRequest = (method, params) => {
      if (method === 'getSignaturesForAddress') slots.push(Reflect.get(Object(params[1]), 'minContextSlot'))
      return undefined
    }
    await find()
    expect(slots).toEqual([Number(cluster.blockAt('finalized').slot)])
  })
})

/** A node that lists so many transactions at a time. */
const pagesOf =
  (size: number): Script =>
  async (method, params, ask) => {
    const reply = await ask()
    return method === 'getSignaturesForAddress' && 'result' in reply && params.length
      ? { result: (reply.result as unknown[]).slice(0, size) }
      : reply
  }
