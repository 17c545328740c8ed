import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Address,
  createSolanaRpc,
  createSolanaRpcFromTransport,
  generateKeyPairSigner,
  getBase58Decoder,
  type Instruction,
  type KeyPairSigner,
  lamports,
  type Signature,
} from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createAskTogether } from '#adapters/chains/solana/connection/askTogether.js'
import { startLocalSolana } from '#adapters/chains/solana/local/startLocalSolana.js'
import { createOutbox } from '#adapters/chains/solana/outbox/outbox.js'
import { findSigned, replaceSigned, storeSigned } from '#adapters/chains/solana/outbox/signedTransactions.js'
import { simulationErrors } from '#adapters/chains/solana/outbox/simulationErrors.js'
import type { MakeInstructions } from '#adapters/chains/solana/outbox/write.js'
import type { OpenDatabase } from '#base/db/openedDatabase.js'
import { solanaTransactions } from '#base/db/tables/index.js'
import type { WriteOptions, WriteResult } from '#base/ports/write.js'
import { limits } from '../../../../../test/limits.js'
import { type ChangeAnswer, changeAnswers } from '../../../helpers/changeAnswers.js'
import { databaseKinds } from '../../../helpers/databaseKinds.js'

const sol = 1_000_000_000n
/** What a nonce account of 80 bytes must hold. */
const guardRent = 1_447_680n
const log = { info: () => {}, warn: () => {}, error: () => {} }

let database: OpenDatabase
let second: OpenDatabase
let node: Awaited<ReturnType<typeof startLocalSolana>>
let feePayer: KeyPairSigner
let recipient: Address
beforeAll(async () => {
  const postgres = databaseKinds.find(({ name }) => name === 'PostgreSQL')
  const opened = await postgres?.open()
  const other = await postgres?.open(opened?.url)
  if (!opened || !other) throw new Error('no PostgreSQL')
  database = opened
  second = other
})
afterAll(async () => {
  await second.close()
  await database.close()
})
beforeEach(async () => {
  await database.db.delete(solanaTransactions)
  node = await startLocalSolana({ port: 0, slotMs: 20, finalizedAfter: 4 })
  feePayer = await createAccount(100n * sol)
  recipient = (await generateKeyPairSigner()).address
})
afterEach(() => node.close())

const createAccount = async (units: bigint): Promise<KeyPairSigner> => {
  const signer = await generateKeyPairSigner()
  const rpc = createSolanaRpc(node.rpcUrl)
  await rpc.requestAirdrop(signer.address, lamports(units)).send()
  await vi.waitFor(async () => {
    const { value } = await rpc.getBalance(signer.address, { commitment: 'confirmed' }).send()
    expect(value).toBe(units)
  }, limits.conditionMs)
  return signer
}

/** Opens an outbox as a process of its own. `change` may answer for the node. */
const open = (
  { db }: OpenDatabase = database,
  { url = node.rpcUrl, change = (_, answer) => answer() }: { url?: string; change?: ChangeAnswer } = {},
) => {
  const transport = changeAnswers(url, change)
  const rpc = createSolanaRpcFromTransport(transport)
  const askTogether = createAskTogether(transport, undefined)
  const outbox = createOutbox({
    db,
    log,
    chain: 'solana',
    feePayer,
    rpc,
    askTogether,
    commitment: 'finalized',
    pollMs: 10,
  })
  return {
    ...outbox,
    send: (key: string, makeInstructions: MakeInstructions, options?: WriteOptions) =>
      outbox.send(key, { makeInstructions, trace: recipient, isGuarded: true }, options),
  }
}

/** Starts a node whose blocks are made by the test alone. */
const stopTime = async () => {
  await node.close()
  node = await startLocalSolana({ port: 0, slotMs: 3_600_000, finalizedAfter: 4 })
  await createSolanaRpc(node.rpcUrl)
    .requestAirdrop(feePayer.address, lamports(100n * sol))
    .send()
  tick(6)
}
const tick = (blocks: number) => {
  for (let left = blocks; left > 0; left--) node.tick()
}

/** Makes blocks until all work has ended. */
const tickUntil = async <Result>(work: Promise<Result>): Promise<Result> => {
  const ticking = setInterval(() => node.tick(), 20)
  return work.finally(() => clearInterval(ticking))
}

const transferFrom = (source: KeyPairSigner, units = sol) =>
  vi.fn(
    async (): Promise<Instruction[]> => [
      getTransferSolInstruction({ source, destination: recipient, amount: lamports(units) }),
    ],
  )
const received = () => {
  const account = node.cluster.readAccount(recipient, 'processed')
  return account.exists ? account.lamports : 0n
}
const neverAsked = async (): Promise<Instruction[]> => {
  throw new Error('it was signed again')
}

/** Signs and stores a write as a process does that is killed before it sends the bytes. */
const dieBeforeSending = async (key: string, units = sol) => {
  const isKilled: ChangeAnswer = async (method, answer) => {
    if (method === 'sendTransaction') throw new Error('killed')
    return answer()
  }
  await expect(open(database, { change: isKilled }).send(key, transferFrom(feePayer, units))).rejects.toThrow(
    'killed',
  )
  const stored = await findSigned(database.db, `solana:${key}`)
  if (!stored) throw new Error('nothing is stored')
  return stored
}

test('default: a write lands once, however often it is requested', async () => {
  const make = transferFrom(feePayer)
  const first = await open().send('one', make)
  expect(first).toEqual({ status: 'succeeded', txId: expect.any(String) })
  expect(await open().send('one', neverAsked)).toEqual(first)
  expect(received()).toBe(sol)
  expect(make).toHaveBeenCalledTimes(1)
  expect(await findSigned(database.db, 'solana:one')).toMatchObject({
    status: 'succeeded',
    slot: expect.any(BigInt),
    failure: null,
  })
})

test('behavior: two writes of the same instructions are two transactions', async () => {
  await stopTime()
  const make = transferFrom(feePayer)
  const results = await tickUntil(Promise.all(['one', 'two'].map((key) => open().send(key, make))))
  expect(results).toMatchObject([{ status: 'succeeded' }, { status: 'succeeded' }])
  expect(results[0]?.txId).not.toBe(results[1]?.txId)
  expect(received()).toBe(2n * sol)
})

test('behavior: two processes at once send one transaction', async () => {
  const make = transferFrom(feePayer)
  const results = await Promise.all(
    [database, second, database, second].map((each) => open(each).send('race', make)),
  )
  expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1)
  expect(results[0]).toMatchObject({ status: 'succeeded' })
  expect(received()).toBe(sol)
})

test('behavior: a transaction that is lost is sent again, as it is', async () => {
  node.cluster.loseTransactions(2)
  const make = transferFrom(feePayer)
  expect(await open().send('lost', make)).toMatchObject({ status: 'succeeded' })
  expect(make).toHaveBeenCalledTimes(1)
  expect(received()).toBe(sol)
})

test('behavior: after a crash, another process sends the stored bytes', async () => {
  const { signature: txId } = await dieBeforeSending('killed')
  expect(await open(second).send('killed', neverAsked)).toEqual({ status: 'succeeded', txId })
  expect(received()).toBe(sol)
})

test('behavior: it is signed again only when the last block that could include it is final', async () => {
  await stopTime()
  const stored = await dieBeforeSending('late')
  const { cluster } = node
  cluster.loseTransactions(1_000_000)
  const make = transferFrom(feePayer)
  const sent = Promise.all([database, second].map((each) => open(each).send('late', make)))
  while (cluster.blockAt('finalized').height <= stored.lastValidBlockHeight) {
    // Time for both processes to ask about the transaction.
    if (cluster.blockAt('processed').height > stored.lastValidBlockHeight) await sleep(60)
    expect(await findSigned(database.db, 'solana:late')).toEqual(stored)
    expect(make).not.toHaveBeenCalled()
    node.tick()
  }
  cluster.loseTransactions(0)
  const [one, other] = await tickUntil(sent)
  expect(one).toMatchObject({ status: 'succeeded' })
  expect(one).toEqual(other)
  expect(one?.txId).not.toBe(stored.signature)
  expect(received()).toBe(sol)
})

test('behavior: of two processes that see an expiry, one signs, and both send its bytes', async () => {
  const stored = await dieBeforeSending('both')
  const bytes = { signedTransaction: 'AA==', lastValidBlockHeight: 1n }
  const first = await replaceSigned(database.db, stored, { ...bytes, signature: 'first' }, undefined)
  const late = await replaceSigned(second.db, stored, { ...bytes, signature: 'late' }, undefined)
  expect(first.signature).toBe('first')
  expect(late).toEqual(first)
})

test('behavior: a transaction that lands while its expiry is checked is not signed again', async () => {
  await stopTime()
  const { signature: txId, signedTransaction } = await dieBeforeSending('just')
  node.cluster.loseTransactions(1_000_000)
  const landNow: ChangeAnswer = async (method, answer) => {
    if (method === 'getEpochInfo' && !received()) {
      node.cluster.loseTransactions(0)
      node.cluster.submit(Buffer.from(signedTransaction, 'base64'))
      tick(200)
    }
    return answer()
  }
  expect(await open(database, { change: landNow }).send('just', neverAsked)).toEqual({
    status: 'succeeded',
    txId,
  })
  expect(received()).toBe(sol)
})

test('behavior: a node that is behind does not prove that a transaction expired', async () => {
  await stopTime()
  const { signature: txId, signedTransaction } = await dieBeforeSending('behind')
  node.cluster.submit(Buffer.from(signedTransaction, 'base64'))
  const asOf = node.cluster.slotAt('processed')
  tick(200)
  let stale = 0
  const isBehind: ChangeAnswer = async (method, answer) => {
    if (method !== 'getSignatureStatuses' || ++stale > 6) return answer()
    return { jsonrpc: '2.0', id: '1', result: { context: { slot: asOf }, value: [null] } }
  }
  expect(await open(database, { change: isBehind }).send('behind', neverAsked)).toEqual({
    status: 'succeeded',
    txId,
  })
  expect(stale).toBeGreaterThan(6)
  expect(received()).toBe(sol)
})

/** Lands a stored write, and opens an outbox whose node has forgotten its status. */
const landForgotten = async (key: string, change: ChangeAnswer) => {
  await stopTime()
  const { signature: txId, signedTransaction, lastValidBlockHeight } = await dieBeforeSending(key)
  node.cluster.submit(Buffer.from(signedTransaction, 'base64'))
  tick(200)
  const forgets: ChangeAnswer = async (method, answer, isTogether) => {
    if (method !== 'getSignatureStatuses') return change(method, answer, isTogether)
    const context = { slot: node.cluster.slotAt('processed') }
    return { jsonrpc: '2.0', id: '1', result: { context, value: [null] } }
  }
  return { txId, lastValidBlockHeight, outbox: open(database, { change: forgets }) }
}

/** Lets a slot pass without a block, and returns it. */
const skipSlot = (): bigint => {
  node.cluster.skipSlot()
  const skipped = node.cluster.slotAt('processed')
  tick(5)
  return skipped
}

test.each<[string, (firstNeeded: bigint) => bigint]>([
  [
    'begins after',
    (firstNeeded) => {
      // Slots run ahead of heights, and heights count.
      const { slot, height } = node.cluster.blockAt('processed')
      return firstNeeded + 1n + slot - height
    },
  ],
  ['does not show the first of', skipSlot],
])(
  'error: chain-unavailable while the node %s the blocks that could include a transaction',
  async (_, findFirst) => {
    let first = 0n
    const lacksHistory: ChangeAnswer = async (method, answer) => {
      // Another node of the pool may still list the transaction.
      if (method === 'getSignaturesForAddress') return { jsonrpc: '2.0', id: '1', result: [] }
      if (method !== 'getFirstAvailableBlock') return answer()
      return { jsonrpc: '2.0', id: '1', result: first }
    }
    const { lastValidBlockHeight, outbox } = await landForgotten('forgetful', lacksHistory)
    first = findFirst(lastValidBlockHeight - 150n)
    await expect(outbox.send('forgetful', neverAsked)).rejects.toMatchObject({
      code: 'chain-unavailable',
      message: expect.stringContaining('lacks the blocks'),
    })
    expect(await findSigned(database.db, 'solana:forgetful')).toMatchObject({ status: 'signed' })
  },
)

test('behavior: a transaction without a status that its account lists is not signed again', async () => {
  const { txId, outbox } = await landForgotten('listed', (_, answer) => answer())
  expect(await outbox.send('listed', neverAsked)).toEqual({ status: 'succeeded', txId })
  expect(received()).toBe(sol)
})

test('behavior: the history that proves an expiry is that of the node which does not know the transaction', async () => {
  const twoNodes: ChangeAnswer = async (method, answer, isTogether) => {
    if (method === 'getSignaturesForAddress') return { jsonrpc: '2.0', id: '1', result: [] }
    if (method !== 'getFirstAvailableBlock') return answer()
    return { jsonrpc: '2.0', id: '1', result: isTogether ? node.cluster.slotAt('finalized') : 0n }
  }
  const { outbox } = await landForgotten('two nodes', twoNodes)
  await expect(outbox.send('two nodes', neverAsked)).rejects.toMatchObject({
    code: 'chain-unavailable',
    message: expect.stringContaining('lacks the blocks'),
  })
})

test('behavior: a node that takes no lists of requests is asked for one thing after the other', async () => {
  await stopTime()
  const { signature } = await dieBeforeSending('apart')
  node.cluster.loseTransactions(1)
  const takesNoLists: ChangeAnswer = async (_, answer, isTogether) => {
    if (isTogether) throw new Error('lists of requests are not supported')
    return answer()
  }
  const sending = open(database, { change: takesNoLists }).send('apart', transferFrom(feePayer), {
    onSent: () => tick(200),
  })
  const sent = await tickUntil(sending)
  expect(sent).toMatchObject({ status: 'succeeded' })
  expect(sent.txId).not.toBe(signature)
  expect(received()).toBe(sol)
})

/** Counts how often bytes are sent, and forwards all requests. */
const countSendings = () => {
  const seen = { sendings: 0 }
  const change: ChangeAnswer = async (method, answer) => {
    if (method === 'sendTransaction') seen.sendings++
    return answer()
  }
  return { seen, change }
}

const notDue = async () => {
  throw new Error('not due')
}

describe('a stored write that is not due any more', () => {
  test('is not sent, and is refused once its bytes can never land', async () => {
    await stopTime()
    const stored = await dieBeforeSending('undue')
    const { seen, change } = countSendings()
    const make = transferFrom(feePayer)
    const onSent = vi.fn(() => tick(200))
    const sending = open(second, { change }).send('undue', make, { assertDue: notDue, onSent })
    await expect(sending).rejects.toThrow('not due')
    expect(onSent).toHaveBeenCalledTimes(1)
    expect(seen.sendings).toBe(0)
    expect(make).not.toHaveBeenCalled()
    expect(await findSigned(database.db, 'solana:undue')).toEqual(stored)
    // It is due again.
    expect(await tickUntil(open().send('undue', make))).toMatchObject({ status: 'succeeded' })
    expect(received()).toBe(sol)
  })

  test('is followed, because another process may have sent it', async () => {
    await stopTime()
    const { signature: txId, signedTransaction } = await dieBeforeSending('sent')
    const { seen, change } = countSendings()
    const onSent = () => {
      node.cluster.submit(Buffer.from(signedTransaction, 'base64'))
    }
    const sending = open(second, { change }).send('sent', neverAsked, { assertDue: notDue, onSent })
    expect(await tickUntil(sending)).toEqual({ status: 'succeeded', txId })
    expect(seen.sendings).toBe(0)
    expect(received()).toBe(sol)
  })

  test('is not sent again, and not signed again', async () => {
    await stopTime()
    node.cluster.loseTransactions(1_000_000)
    const { seen, change } = countSendings()
    const make = transferFrom(feePayer)
    const isSent = vi.fn()
    const assertDue = async () => {
      if (isSent.mock.calls.length) throw new Error('not due')
    }
    const sending = open(database, { change }).send('once', make, { assertDue, onSent: isSent })
    const ended = expect(sending).rejects.toThrow('not due')
    await vi.waitFor(() => expect(isSent).toHaveBeenCalled(), limits.conditionMs)
    // Time for several requests for its status.
    await sleep(300)
    tick(200)
    await ended
    expect(seen.sendings).toBe(1)
    expect(make).toHaveBeenCalledTimes(1)
    expect(await findSigned(database.db, 'solana:once')).toMatchObject({ status: 'signed' })
  })

  test('keeps its bytes if that changes while it is signed again', async () => {
    await stopTime()
    const stored = await dieBeforeSending('meanwhile')
    node.cluster.loseTransactions(1_000_000)
    const make = transferFrom(feePayer)
    const assertDue = async () => {
      if (make.mock.calls.length) throw new Error('not due')
    }
    const sending = open().send('meanwhile', make, { assertDue, onSent: () => tick(200) })
    await expect(sending).rejects.toThrow('not due')
    expect(make).toHaveBeenCalledTimes(1)
    expect(await findSigned(database.db, 'solana:meanwhile')).toEqual(stored)
  })
})

describe('finishOpen: what became of a transaction whose job does not run any more', () => {
  /** Opens the outbox of a process that never sends anything. */
  const openSilent = () =>
    open(second, {
      change: async (method, answer) => {
        if (method === 'sendTransaction') throw new Error('it was sent')
        return answer()
      },
    })
  const submit = ({ signedTransaction }: { signedTransaction: string }) =>
    node.cluster.submit(Buffer.from(signedTransaction, 'base64'))
  const find = (key: string) => findSigned(database.db, `solana:${key}`)

  test('its success', async () => {
    await stopTime()
    const stored = await dieBeforeSending('landed')
    submit(stored)
    tick(10)
    await openSilent().finishOpen()
    // Its job may follow it, while it can land.
    expect(await find('landed')).toEqual(stored)
    tick(200)
    await openSilent().finishOpen()
    expect(await find('landed')).toMatchObject({ status: 'succeeded', slot: expect.any(BigInt) })
    const told = { status: 'succeeded', txId: stored.signature }
    expect(await open().send('landed', neverAsked, { assertDue: notDue })).toEqual(told)
  })

  test('its failure', async () => {
    await stopTime()
    for (const key of ['one', 'two']) submit(await dieBeforeSending(key, 60n * sol))
    tick(200)
    await openSilent().finishOpen()
    const rows = await Promise.all(['one', 'two'].map(find))
    expect(rows.map((row) => row?.status).sort()).toEqual(['failed', 'succeeded'])
    const key = rows[0]?.status === 'failed' ? 'one' : 'two'
    expect(await open().send(key, neverAsked)).toMatchObject({
      status: 'failed',
      txId: expect.any(String),
      reason: expect.stringContaining('insufficient lamports'),
    })
  })

  test('that it can never land, which needs no old blocks later', async () => {
    await stopTime()
    const stored = await dieBeforeSending('never')
    tick(200)
    await openSilent().finishOpen()
    expect(await find('never')).toEqual({ ...stored, expiredAt: expect.any(Date) })
    const { seen, change } = countSendings()
    const lacksHistory: ChangeAnswer = async (method, answer, isTogether) =>
      method === 'getFirstAvailableBlock'
        ? { jsonrpc: '2.0', id: '1', result: 1_000_000n }
        : change(method, answer, isTogether)
    const later = open(database, { change: lacksHistory })
    await expect(later.send('never', neverAsked, { assertDue: notDue })).rejects.toThrow('not due')
    expect(seen.sendings).toBe(0)
    const sent = await tickUntil(later.send('never', transferFrom(feePayer)))
    expect(sent).toMatchObject({ status: 'succeeded' })
    expect(sent.txId).not.toBe(stored.signature)
    expect(await find('never')).toMatchObject({ status: 'succeeded', expiredAt: null })
    expect(received()).toBe(sol)
  })

  test('of others, also if a node cannot tell about one', async () => {
    await stopTime()
    const unknown = await dieBeforeSending('unknown')
    const landed = await dieBeforeSending('landed')
    submit(landed)
    tick(200)
    const lacksHistory: ChangeAnswer = async (method, answer) =>
      method === 'getFirstAvailableBlock'
        ? { jsonrpc: '2.0', id: '1', result: node.cluster.slotAt('finalized') }
        : answer()
    await open(second, { change: lacksHistory }).finishOpen()
    expect(await find('unknown')).toEqual(unknown)
    expect(await find('landed')).toMatchObject({ status: 'succeeded' })
  })

  test('of others, however many a node cannot tell about', async () => {
    await stopTime()
    const unknown = await dieBeforeSending('unknown')
    const more = Array.from({ length: 120 }, (_, index) => ({
      ...unknown,
      key: `solana:also-unknown:${index}`,
      signature: getBase58Decoder().decode(randomBytes(64)),
    }))
    const landed = await dieBeforeSending('zebra')
    await database.db.insert(solanaTransactions).values(more)
    submit(landed)
    tick(200)
    let hasHistory = false
    const change: ChangeAnswer = async (method, answer) =>
      method === 'getFirstAvailableBlock' && !hasHistory
        ? { jsonrpc: '2.0', id: '1', result: node.cluster.slotAt('finalized') }
        : answer()
    const outbox = open(second, { change })
    await outbox.finishOpen()
    expect(await find('zebra')).toEqual(landed)
    await outbox.finishOpen()
    expect(await find('zebra')).toMatchObject({ status: 'succeeded' })
    // After the last page comes the first.
    hasHistory = true
    await outbox.finishOpen()
    expect(await find('also-unknown:0')).toMatchObject({ expiredAt: expect.any(Date) })
  })
})

/** Begins a write, and waits until the node has it. */
const begin = async (key: string, make: () => Promise<Instruction[]>) => {
  let result: Promise<WriteResult> | undefined
  await new Promise<void>((resolve) => {
    result = open().send(key, make, { onSent: resolve })
  })
  if (!result) throw new Error('nothing was sent')
  return { result }
}

test('behavior: a transaction of a replaced block is sent again, and happens once', async () => {
  await stopTime()
  const make = transferFrom(feePayer)
  const { result } = await begin('forked', make)
  tick(1)
  expect(received()).toBe(sol)
  node.cluster.fork(1)
  expect(received()).toBe(0n)
  expect(await tickUntil(result)).toMatchObject({ status: 'succeeded' })
  expect(make).toHaveBeenCalledTimes(1)
  expect(received()).toBe(sol)
})

test('behavior: a confirmed transaction is not done until it is final', async () => {
  await stopTime()
  const { result } = await begin('surely', transferFrom(feePayer))
  tick(3)
  const { signature = '' } = (await findSigned(database.db, 'solana:surely')) ?? {}
  const { value } = await createSolanaRpc(node.rpcUrl)
    .getSignatureStatuses([signature as Signature])
    .send()
  expect(value[0]?.confirmationStatus).toBe('confirmed')
  // Time for the outbox to ask about the transaction.
  await sleep(100)
  expect(await findSigned(database.db, 'solana:surely')).toMatchObject({ status: 'signed' })
  node.cluster.fork(3)
  expect(received()).toBe(0n)
  expect(await tickUntil(result)).toMatchObject({ status: 'succeeded', txId: signature })
  expect(received()).toBe(sol)
})

test('behavior: while others pay a priority fee, it is offered within its bound, and paid', async () => {
  const busy: ChangeAnswer = async (method, answer) =>
    method === 'getRecentPrioritizationFees'
      ? { jsonrpc: '2.0', id: '1', result: [{ slot: 1n, prioritizationFee: 20_000n }] }
      : answer()
  const balance = async () => {
    const account = node.cluster.readAccount(feePayer.address, 'processed')
    return account.exists ? account.lamports : 0n
  }
  const before = await balance()
  const { status } = await open(database, { change: busy }).send('hurried', transferFrom(feePayer))
  expect(status).toBe('succeeded')
  // The fee of the signature, 300,000 units at 0.02 lamports, and the rent of the guard.
  expect(before - (await balance()) - sol).toBe(5_000n + 6_000n + guardRent)
})

test('error: a write that its simulation refuses is never sent, by any process', async () => {
  const poor = await createAccount(sol)
  const refused = await open().send('refused', transferFrom(poor, 5n * sol))
  expect(refused).toEqual({
    status: 'failed',
    reason: expect.stringMatching(
      /^insufficient lamports 1000000000, need 5000000000 \(\{"InstructionError"/,
    ),
  })
  // Another attempt may be sent by now, so this one must not succeed later.
  expect(await open(second).send('refused', transferFrom(feePayer))).toEqual(refused)
  expect(received()).toBe(0n)
})

test('behavior: a write whose record is lost is found on chain, under any of its attempts', async () => {
  const sent = await open().send('forgotten', transferFrom(feePayer))
  await database.db.delete(solanaTransactions)
  expect(await open().send('forgotten', neverAsked)).toEqual(sent)
  expect(await open().send('forgotten#2', neverAsked)).toEqual(sent)
  expect(received()).toBe(sol)
})

test('error: a write that fails in its block stays failed', async () => {
  await stopTime()
  const make = transferFrom(feePayer, 60n * sol)
  const begun = await Promise.all(['one', 'two'].map((key) => begin(key, make)))
  const results = await tickUntil(Promise.all(begun.map(({ result }) => result)))
  const [failed] = results.filter(({ status }) => status === 'failed')
  expect(results.map(({ status }) => status).sort()).toEqual(['failed', 'succeeded'])
  expect(failed).toMatchObject({
    reason: expect.stringContaining('insufficient lamports'),
    txId: expect.any(String),
  })
  const key = results[0] === failed ? 'one' : 'two'
  expect(await open().send(key, neverAsked)).toEqual(failed)
  expect(received()).toBe(60n * sol)
})

test('behavior: callers that store the same bytes at once all get them, and another write does not', async () => {
  const bytes = { signedTransaction: 'bytes', lastValidBlockHeight: 1n }
  const row = { chain: 'solana', assertDue: undefined }
  for (let round = 0; round < 20; round++) {
    const signature = `of round ${round}`
    const callers = Array.from({ length: 8 }, (_, at) => (at % 2 ? second : database))
    const stored = await Promise.all(
      callers.map(({ db }) => storeSigned(db, { ...row, key: `same:${round}` }, { ...bytes, signature })),
    )
    expect(new Set(stored.map((one) => one.signature))).toEqual(new Set([signature]))
    const other = storeSigned(database.db, { ...row, key: `other:${round}` }, { ...bytes, signature })
    await expect(other).rejects.toThrow(`another write has the bytes of other:${round}`)
  }
})

test('behavior: it is signed again if the node has lost the block that the signature names', async () => {
  await stopTime()
  let tickOn: (() => void) | undefined
  const isLost = new Promise<void>((resolve) => {
    tickOn = resolve
  })
  const losesBlock: ChangeAnswer = async (method, answer) => {
    if (method === 'simulateTransaction' && tickOn) {
      node.cluster.fork(3)
      tickOn()
      tickOn = undefined
    }
    return answer()
  }
  const make = transferFrom(feePayer)
  const sending = open(database, { change: losesBlock }).send('one', make)
  await isLost
  expect(await tickUntil(sending)).toMatchObject({ status: 'succeeded' })
  expect(received()).toBe(sol)
  expect(make).toHaveBeenCalledTimes(2)
})

test('error: chain-unavailable if the node never knows the blockhash', async () => {
  const make = transferFrom(feePayer)
  const forgets: ChangeAnswer = async (method, answer) => {
    if (method !== 'simulateTransaction') return answer()
    return {
      jsonrpc: '2.0',
      id: 1,
      result: { context: { slot: 1 }, value: { err: 'BlockhashNotFound', logs: [] } },
    }
  }
  await expect(open(database, { change: forgets }).send('one', make)).rejects.toMatchObject({
    code: 'chain-unavailable',
    message: expect.stringContaining('BlockhashNotFound'),
  })
  expect(make).toHaveBeenCalledTimes(5)
  expect(await findSigned(database.db, 'solana:one')).toBeUndefined()
})

/** Answers simulations with an error. */
const failSimulation =
  (err: unknown): ChangeAnswer =>
  async (method, answer) => {
    if (method !== 'simulateTransaction') return answer()
    return { jsonrpc: '2.0', id: 1, result: { context: { slot: 1 }, value: { err, logs: [] } } }
  }

const named = (meaning: string) =>
  Object.entries(simulationErrors).flatMap(([name, known]) => (known === meaning ? [name] : []))

test('error: chain-unavailable while a simulation fails with an error that passes, and nothing is recorded', async () => {
  const newer = 'AnErrorOfALaterRelease'
  const restricted = { ProgramExecutionTemporarilyRestricted: { account_index: 2 } }
  const ofFeePayer = { InsufficientFundsForRent: { account_index: 0 } }
  const passing = named('passing').map((name) => (name in restricted ? restricted : name))
  expect(passing).toEqual(
    expect.arrayContaining([
      'AccountInUse',
      'AlreadyProcessed',
      'ClusterMaintenance',
      'CommitCancelled',
      'ProgramCacheHitMaxLimit',
      'ResanitizationNeeded',
      'WouldExceedAccountDataBlockLimit',
      'WouldExceedAccountDataTotalLimit',
      'WouldExceedMaxAccountCostLimit',
      'WouldExceedMaxBlockCostLimit',
      'WouldExceedMaxVoteCostLimit',
      restricted,
    ]),
  )
  for (const error of [...passing, ofFeePayer, newer]) {
    const busy = open(database, { change: failSimulation(error) })
    await expect(busy.send('busy', transferFrom(feePayer)), JSON.stringify(error)).rejects.toMatchObject({
      code: 'chain-unavailable',
      message: expect.stringContaining(typeof error === 'string' ? error : Object.keys(error).join()),
    })
    expect(await findSigned(database.db, 'solana:busy')).toBeUndefined()
  }
  expect(await open().send('busy', transferFrom(feePayer))).toMatchObject({ status: 'succeeded' })
  expect(received()).toBe(sol)
})

test('error: a simulation that fails with an error of the write itself refuses it, and says so later too', async () => {
  const details: Record<string, unknown> = {
    DuplicateInstruction: 1,
    InstructionError: [2, { Custom: 1 }],
    InsufficientFundsForRent: { account_index: 3 },
  }
  const final = [...named('final'), ...named('rent')]
  expect(final).toEqual(
    expect.arrayContaining(['InstructionError', 'TooManyAccountLocks', 'UnbalancedTransaction']),
  )
  for (const name of final) {
    const error = name in details ? { [name]: details[name] } : name
    const refusing = open(database, { change: failSimulation(error) })
    const refused = await refusing.send(`final:${name}`, transferFrom(feePayer))
    expect(refused, name).toEqual({ status: 'failed', reason: expect.stringContaining(name) })
    expect(await open().send(`final:${name}`, neverAsked), name).toEqual(refused)
  }
  expect(received()).toBe(0n)
})

test('behavior: bytes that another process has stored and sent before the simulation are followed', async () => {
  let other: Promise<WriteResult> | undefined
  const processed: ChangeAnswer = async (method, answer) => {
    if (method !== 'simulateTransaction') return answer()
    await new Promise<void>((resolve) => {
      other = open(second).send('same', transferFrom(feePayer), { onSent: resolve })
    })
    return failSimulation('AlreadyProcessed')(method, answer, false)
  }
  const sent = await open(database, { change: processed }).send('same', transferFrom(feePayer))
  expect(sent).toMatchObject({ status: 'succeeded' })
  expect(await other).toEqual(sent)
  expect(received()).toBe(sol)
})

test('error: chain-unavailable while the fee payer lacks lamports', async () => {
  const rich = feePayer
  feePayer = await generateKeyPairSigner()
  await expect(open().send('poor', transferFrom(rich))).rejects.toMatchObject({ code: 'chain-unavailable' })
  expect(await findSigned(database.db, 'solana:poor')).toBeUndefined()
})

test('error: chain-unavailable while the node does not answer', async () => {
  const away = open(database, { url: 'http://127.0.0.1:1' })
  await expect(away.send('away', transferFrom(feePayer))).rejects.toMatchObject({
    code: 'chain-unavailable',
    isOutage: true,
  })
})

test('behavior: what is not due any more is not signed', async () => {
  const assertDue = async () => {
    throw new Error('not due')
  }
  await expect(open().send('undue', transferFrom(feePayer), { assertDue })).rejects.toThrow('not due')
  expect(await findSigned(database.db, 'solana:undue')).toBeUndefined()
  expect(received()).toBe(0n)
})
