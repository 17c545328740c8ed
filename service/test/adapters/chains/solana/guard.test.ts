import {
  AccountRole,
  type Address,
  appendTransactionMessageInstructions,
  createSolanaRpc,
  createSolanaRpcFromTransport,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  type Instruction,
  type KeyPairSigner,
  lamports,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import { eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createAskTogether } from '#adapters/chains/solana/connection/askTogether.js'
import { startLocalSolana } from '#adapters/chains/solana/local/startLocalSolana.js'
import { closeGuards } from '#adapters/chains/solana/outbox/closeGuards.js'
import { guardOf, isGuard } from '#adapters/chains/solana/outbox/guard.js'
import { createMemo } from '#adapters/chains/solana/outbox/memo.js'
import { createOutbox } from '#adapters/chains/solana/outbox/outbox.js'
import { findSigned, storeSigned } from '#adapters/chains/solana/outbox/signedTransactions.js'
import type { Write } from '#adapters/chains/solana/outbox/write.js'
import type { OpenDatabase } from '#base/db/openedDatabase.js'
import { solanaTransactions } from '#base/db/tables/index.js'
import { changeAnswers } from '../../../helpers/changeAnswers.js'
import { databaseKinds } from '../../../helpers/databaseKinds.js'

const sol = 1_000_000_000n
/** What a nonce account of 80 bytes must hold. */
const rent = 1_447_680n
const fee = 5_000n

let database: OpenDatabase
let node: Awaited<ReturnType<typeof startLocalSolana>>
let operator: KeyPairSigner
let stranger: KeyPairSigner
let recipient: Address
const log = { info: () => {}, warn: vi.fn(), error: () => {} }

beforeAll(async () => {
  const postgres = databaseKinds.find(({ name }) => name === 'PostgreSQL')
  if (!postgres) throw new Error('no PostgreSQL')
  database = await postgres.open()
})
afterAll(() => database.close())
beforeEach(async () => {
  await database.db.delete(solanaTransactions)
  // The test makes the blocks.
  node = await startLocalSolana({ port: 0, slotMs: 3_600_000, finalizedAfter: 4 })
  const signers = await Promise.all([
    generateKeyPairSigner(),
    generateKeyPairSigner(),
    generateKeyPairSigner(),
  ])
  ;[operator, stranger] = [signers[0], signers[1]]
  recipient = signers[2].address
  const rpc = createSolanaRpc(node.rpcUrl)
  for (const { address } of [operator, stranger])
    await rpc.requestAirdrop(address, lamports(100n * sol)).send()
  tick(6)
  log.warn.mockClear()
})
afterEach(() => node.close())

const tick = (blocks: number) => {
  for (let left = blocks; left > 0; left--) node.tick()
}
/** Makes blocks until all work has ended. */
const tickUntil = async <Result>(work: Promise<Result>): Promise<Result> => {
  const ticking = setInterval(() => node.tick(), 20)
  return work.finally(() => clearInterval(ticking))
}

/** Returns what the node answers instead, or `undefined` for its own answer. */
type Lie = (method: string) => object | null | undefined | Promise<undefined>

/** Opens an outbox as a process of its own, whose node may lie. */
const open = (lie: Lie = () => undefined) => {
  const transport = changeAnswers(node.rpcUrl, async (method, answer) => {
    const result = await lie(method)
    return result === undefined ? answer() : { jsonrpc: '2.0', result }
  })
  const rpc = createSolanaRpcFromTransport(transport)
  const askTogether = createAskTogether(transport, undefined)
  const terms = { db: database.db, log, chain: 'solana', feePayer: operator, rpc, askTogether }
  const outbox = createOutbox({ ...terms, commitment: 'finalized', pollMs: 10 })
  return {
    send: (key: string, write: Partial<Write> = {}) =>
      outbox.send(key, { makeInstructions: transfer(), trace: undefined, isGuarded: true, ...write }),
    finishOpen: outbox.finishOpen,
    close: () => closeGuards({ rpc, operator, outbox }, { db: database.db, chain: 'solana', log }),
  }
}

const transfer = (units = sol) =>
  vi.fn(
    async (): Promise<Instruction[]> => [
      getTransferSolInstruction({ source: operator, destination: recipient, amount: lamports(units) }),
    ],
  )
const balanceOf = (address: Address) => {
  const account = node.cluster.readAccount(address, 'processed')
  return account.exists ? account.lamports : 0n
}
const received = () => balanceOf(recipient)
const guardAddress = (key: string) => guardOf(operator.address, `solana:${key}`).address
const hasGuard = (key: string) => isGuard(node.cluster.readAccount(guardAddress(key), 'processed'))
/** Lists how the transactions ended that name the guard of a write, newest first. */
const endingsOf = (key: string) =>
  node.cluster.listTransactions(guardAddress(key), 'processed').map(({ error }) => error)
const find = (key: string) => findSigned(database.db, `solana:${key}`)

const sendAs = async (signer: KeyPairSigner, instructions: readonly Instruction[]) => {
  const rpc = createSolanaRpc(node.rpcUrl)
  const { value } = await rpc.getLatestBlockhash().send()
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayerSigner(signer, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(value, paid),
    (dated) => appendTransactionMessageInstructions(instructions, dated),
  )
  const signed = await signTransactionMessageWithSigners(message)
  await rpc.sendTransaction(getBase64EncodedWireTransaction(signed), { encoding: 'base64' }).send()
  tick(1)
}

/** Lands a write as a process does that is killed between sending it and recording its end. */
const dieAfterSending = async (key: string, write?: Partial<Write>) => {
  const killed = (method: string) => {
    if (method === 'getSignatureStatuses') throw new Error('killed')
    return undefined
  }
  await expect(open(killed).send(key, write)).rejects.toThrow('killed')
  tick(8)
  const stored = await find(key)
  if (stored?.status !== 'signed') throw new Error('it is recorded')
  return stored
}

/**
 * Says that a transaction has expired, which is in a block: that its blocks are final, that there is no status, and
 * that its guard does not exist. It says the truth once the write was sent again.
 */
const createLie = ({ unlisted = false } = {}) => {
  let sent = 0
  const lie: Lie = (method) => {
    if (method === 'sendTransaction') sent++
    if (method === 'getSignaturesForAddress' && (unlisted || sent < 2)) return []
    if (sent >= 2) return undefined
    const context = { slot: node.cluster.slotAt('processed') }
    switch (method) {
      case 'getSignatureStatuses':
        return { context, value: [null] }
      case 'getEpochInfo':
        return { absoluteSlot: 1n, blockHeight: 1_000_000n, epoch: 0n, slotIndex: 1n, slotsInEpoch: 432_000n }
      case 'getFirstAvailableBlock':
        return 0n as unknown as object
      case 'getAccountInfo':
        return { context, value: null }
      default:
        return undefined
    }
  }
  return { lie, sent: () => sent }
}

const taken = { InstructionError: [0, { Custom: 0 }] }

test('default: a write creates its guard, which holds its rent', async () => {
  const before = balanceOf(operator.address)
  expect(await tickUntil(open().send('one'))).toMatchObject({ status: 'succeeded' })
  expect(hasGuard('one')).toBe(true)
  expect(before - balanceOf(operator.address)).toBe(sol + rent + fee)
  expect(await find('one')).toMatchObject({ guard: guardAddress('one'), guardClosedAt: null })
})

test('behavior: a write without a guard creates none', async () => {
  await tickUntil(open().send('bare', { isGuarded: false }))
  expect(balanceOf(guardAddress('bare'))).toBe(0n)
  expect(await find('bare')).toMatchObject({ guard: null, guardSignedAt: null })
})

test('behavior: of two copies that a lying node lets sign, the second fails on chain, and the first counts', async () => {
  const first = await dieAfterSending('twice')
  const { lie, sent } = createLie()
  const make = transfer()
  const result = await tickUntil(open(lie).send('twice', { makeInstructions: make }))
  expect(result).toEqual({ status: 'succeeded', txId: first.signature })
  expect(make).toHaveBeenCalledTimes(1)
  expect(sent()).toBe(2)
  expect(endingsOf('twice')).toEqual([taken, undefined])
  expect(received()).toBe(sol)
  const { signature, signedTransaction } = first
  expect(await find('twice')).toMatchObject({
    status: 'succeeded',
    signature,
    signedTransaction,
    failure: null,
    slot: expect.any(BigInt),
  })
})

test('error: chain-unavailable while no node lists the transaction that the guard stands for', async () => {
  const first = await dieAfterSending('unlisted')
  const lying = tickUntil(open(createLie({ unlisted: true }).lie).send('unlisted'))
  await expect(lying).rejects.toMatchObject({
    code: 'chain-unavailable',
    message: expect.stringContaining(guardAddress('unlisted')),
  })
  expect(await find('unlisted')).toMatchObject({ status: 'signed' })
  expect(await tickUntil(open().send('unlisted'))).toEqual({ status: 'succeeded', txId: first.signature })
  expect(received()).toBe(sol)
})

test('behavior: a write whose guard is seen is not signed again', async () => {
  await dieAfterSending('seen')
  const { lie } = createLie({ unlisted: true })
  const make = transfer()
  const shows: Lie = (method) => (method === 'getAccountInfo' ? undefined : lie(method))
  const sending = tickUntil(open(shows).send('seen', { makeInstructions: make }))
  await expect(sending).rejects.toMatchObject({
    code: 'chain-unavailable',
    message: expect.stringContaining(guardAddress('seen')),
  })
  expect(make).not.toHaveBeenCalled()
})

test('behavior: a write whose record is lost is found by its guard, and recorded again', async () => {
  const sent = await tickUntil(open().send('lost'))
  const { signature, signedTransaction } = (await find('lost')) ?? {}
  await database.db.delete(solanaTransactions)
  expect(await tickUntil(open().send('lost'))).toEqual(sent)
  expect(await find('lost')).toMatchObject({
    status: 'succeeded',
    signature,
    signedTransaction,
    guard: guardAddress('lost'),
  })
  expect(await tickUntil(open().send('lost#2'))).toEqual(sent)
  expect(received()).toBe(sol)
  expect(endingsOf('lost')).toEqual([undefined])
  await database.db.delete(solanaTransactions)
  const unlisted: Lie = (method) => (method === 'getSignaturesForAddress' ? [] : undefined)
  await expect(open(unlisted).send('lost')).rejects.toMatchObject({ code: 'chain-unavailable' })
  expect(await find('lost')).toBeUndefined()
})

test('behavior: a write that another process sends before its simulation ends as that one', async () => {
  let other: Promise<unknown> | undefined
  const late: Lie = async (method) => {
    if (method !== 'simulateTransaction' || other) return undefined
    // The other transaction is in the newest block, which the node lists only once it is confirmed.
    await new Promise<void>((resolve) => {
      const keep: Lie = (asked) => {
        if (asked === 'getSignatureStatuses') resolve()
        return undefined
      }
      other = open(keep).send('raced')
    })
    node.tick()
    return undefined
  }
  const result = await tickUntil(open(late).send('raced'))
  expect(result).toMatchObject({ status: 'succeeded' })
  expect(await tickUntil(Promise.resolve(other))).toEqual(result)
  expect(received()).toBe(sol)
  expect(endingsOf('raced')).toEqual([undefined])
})

test('behavior: the next attempt at a write whose success was taken for a failure does not happen', async () => {
  const { signature } = await dieAfterSending('retried')
  await database.db.update(solanaTransactions).set({ status: 'failed', failure: 'a lie', slot: 1n })
  expect(await tickUntil(open().send('retried#2'))).toEqual({ status: 'succeeded', txId: signature })
  expect(received()).toBe(sol)
})

test('behavior: the next attempt, signed already, fails on chain, and the first one’s result is its result', async () => {
  const dead: Lie = (method) => {
    if (method === 'sendTransaction') throw new Error('killed')
    return undefined
  }
  await expect(open(dead).send('both#2')).rejects.toThrow('killed')
  const { signature } = await dieAfterSending('both')
  const again = () => tickUntil(open().send('both#2'))
  expect(await again()).toEqual({ status: 'succeeded', txId: signature })
  expect(await again()).toEqual({ status: 'succeeded', txId: signature })
  expect(endingsOf('both')).toEqual([taken, undefined])
  expect(received()).toBe(sol)
})

test('behavior: an attempt without a job whose guard another attempt created is no failure', async () => {
  const dead: Lie = (method) => {
    if (method === 'sendTransaction') throw new Error('killed')
    return undefined
  }
  for (const key of ['first#2', 'first#3']) await expect(open(dead).send(key)).rejects.toThrow('killed')
  const { signature } = await dieAfterSending('first')
  const { signedTransaction = '' } = (await find('first#2')) ?? {}
  node.cluster.submit(Buffer.from(signedTransaction, 'base64'))
  tick(200)
  expect(endingsOf('first')).toEqual([taken, undefined])
  await open((method) => (method === 'getSignaturesForAddress' ? [] : undefined)).finishOpen()
  expect(await find('first#2')).toMatchObject({ status: 'signed', expiredAt: null })
  // The transaction is that of another attempt's row, until that row is lost.
  await database.db.update(solanaTransactions).set({ expiredAt: null })
  await open().finishOpen()
  expect(await find('first')).toMatchObject({ status: 'succeeded', signature })
  expect(await find('first#2')).toMatchObject({ status: 'signed', expiredAt: null })
  expect(await find('first#3')).toMatchObject({ status: 'signed', expiredAt: expect.any(Date) })
  await database.db.delete(solanaTransactions).where(eq(solanaTransactions.key, 'solana:first'))
  await open().finishOpen()
  expect(await find('first#2')).toMatchObject({ status: 'succeeded', signature })
  for (const key of ['first#2', 'first#3'])
    expect(await open().send(key)).toEqual({ status: 'succeeded', txId: signature })
  expect(received()).toBe(sol)
})

test('behavior: lamports that a stranger sends to a guard’s address block nothing, and come back with the rent', async () => {
  await sendAs(stranger, [
    getTransferSolInstruction({ source: stranger, destination: guardAddress('prefunded'), amount: sol }),
  ])
  expect(balanceOf(guardAddress('prefunded'))).toBe(sol)
  const before = balanceOf(operator.address)
  expect(await tickUntil(open().send('prefunded'))).toMatchObject({ status: 'succeeded' })
  expect(received()).toBe(sol)
  await expire()
  await tickUntil(open().close())
  expect(balanceOf(guardAddress('prefunded'))).toBe(0n)
  // The transfer cost the operator a sol, and the stranger has given one.
  expect(before - balanceOf(operator.address)).toBe(2n * fee)
})

test('behavior: a stranger’s transaction with the memo of a write is not that write', async () => {
  const named = { address: recipient, role: AccountRole.READONLY }
  const paying = getTransferSolInstruction({ source: stranger, destination: recipient, amount: sol })
  const naming = { ...paying, accounts: [...paying.accounts, named] }
  await sendAs(stranger, [naming, createMemo('solana:forged')])
  // The node lists what is confirmed.
  tick(3)
  expect(await tickUntil(open().send('forged', { trace: recipient }))).toMatchObject({ status: 'succeeded' })
  expect(received()).toBe(2n * sol)
})

test('error: chain-unavailable while the operator cannot pay for a guard', async () => {
  const pay = (source: KeyPairSigner, destination: Address, amount: bigint) =>
    sendAs(source, [getTransferSolInstruction({ source, destination, amount })])
  const make = transfer(1n)
  const send = () => open().send('poor', { makeInstructions: make })
  await pay(operator, recipient, 100n * sol - fee - 1_000_000n)
  await expect(send()).rejects.toMatchObject({
    code: 'chain-unavailable',
    message: expect.stringContaining('InstructionError'),
  })
  // Enough for the guard, and less than the operator's account must hold after it.
  await pay(stranger, operator.address, 1_000_000n)
  await expect(send()).rejects.toMatchObject({
    code: 'chain-unavailable',
    message: expect.stringContaining('InsufficientFundsForRent'),
  })
  expect(await find('poor')).toBeUndefined()
  await pay(stranger, operator.address, sol)
  expect(await tickUntil(send())).toMatchObject({ status: 'succeeded' })
})

/** Makes the bytes of all writes too old to land: by the blocks, and by the time since they were signed. */
const expire = async () => {
  tick(160)
  await age('16 minutes')
}
const age = (time: string) =>
  database.db
    .update(solanaTransactions)
    .set({ guardSignedAt: sql`now() - ${time}::interval` })
    .where(sql`guard is not null`)

test('behavior: the rent comes back, many guards in one transaction', async () => {
  const keys = Array.from({ length: 14 }, (_, at) => `many:${at}`)
  const before = balanceOf(operator.address)
  await tickUntil(Promise.all(keys.map((key) => open().send(key, { makeInstructions: transfer(rent) }))))
  await expire()
  await tickUntil(open().close())
  expect(keys.filter(hasGuard)).toEqual([])
  // 14 writes, and two transactions that close 12 guards and 2.
  expect(before - balanceOf(operator.address)).toBe(14n * (rent + fee) + 2n * fee)
  expect(
    await database.db
      .select()
      .from(solanaTransactions)
      .where(sql`guard_closed_at is null and guard is not null`),
  ).toEqual([])
  const rows = await database.db.$count(solanaTransactions)
  await tickUntil(open().close())
  expect(await database.db.$count(solanaTransactions)).toBe(rows)
})

test('behavior: a guard stays while any copy of its write could land', async () => {
  await tickUntil(open().send('kept'))
  const closes = async () => {
    await tickUntil(open().close())
    return !hasGuard('kept')
  }
  // The blocks that could include it are not final yet.
  await age('1 day')
  const height = node.cluster.blockAt('finalized').height
  await database.db.update(solanaTransactions).set({ lastValidBlockHeight: height + 1_000_000n })
  expect(await closes()).toBe(false)
  await database.db.update(solanaTransactions).set({ lastValidBlockHeight: 1n })
  // The node may be wrong about that, and it was signed a while ago.
  await age('14 minutes')
  expect(await closes()).toBe(false)
  await age('1 day')
  // Its own block is not final.
  const { slot = null } = (await find('kept')) ?? {}
  await database.db.update(solanaTransactions).set({ slot: 10_000_000n })
  expect(await closes()).toBe(false)
  await database.db.update(solanaTransactions).set({ slot })
  // Another attempt waits for its end.
  const other = { key: 'solana:kept#2', chain: 'solana', assertDue: undefined }
  const bytes = { signedTransaction: 'AA==', signature: 'other', lastValidBlockHeight: 1n }
  await storeSigned(database.db, other, bytes)
  expect(await closes()).toBe(false)
  await database.db
    .update(solanaTransactions)
    .set({ status: 'failed' })
    .where(eq(solanaTransactions.signature, 'other'))
  expect(await closes()).toBe(true)
})

test('behavior: a process that is killed while it closes guards leaves no guard, and none is closed twice', async () => {
  await tickUntil(open().send('closing'))
  await expire()
  const killed = (method: string) => {
    if (method === 'getSignatureStatuses') throw new Error('killed')
    return undefined
  }
  await expect(open(killed).close()).rejects.toThrow('killed')
  tick(8)
  expect(hasGuard('closing')).toBe(false)
  const balance = balanceOf(operator.address)
  await tickUntil(open().close())
  expect(await find('closing')).toMatchObject({ guardClosedAt: expect.any(Date) })
  expect(balanceOf(operator.address)).toBe(balance)
})

test('behavior: a guard that a stranger keeps sending lamports holds up no other', async () => {
  await tickUntil(
    Promise.all(['plain', 'dripping'].map((key) => open().send(key, { makeInstructions: transfer(rent) }))),
  )
  await expire()
  const drip: Lie = async (method) => {
    if (method !== 'simulateTransaction') return undefined
    const amount = 1n
    await sendAs(stranger, [
      getTransferSolInstruction({ source: stranger, destination: guardAddress('dripping'), amount }),
    ])
    return undefined
  }
  await tickUntil(open(drip).close())
  expect([hasGuard('plain'), hasGuard('dripping')]).toEqual([false, true])
  tick(3)
  await tickUntil(open().close())
  expect(hasGuard('dripping')).toBe(false)
})

test('behavior: a guard of an earlier operator key is left alone, once', async () => {
  await tickUntil(open().send('earlier'))
  await expire()
  await database.db.update(solanaTransactions).set({ guard: recipient })
  await tickUntil(open().close())
  expect(log.warn).toHaveBeenCalledTimes(1)
  await tickUntil(open().close())
  expect(log.warn).toHaveBeenCalledTimes(1)
  expect(received()).toBe(sol)
})
