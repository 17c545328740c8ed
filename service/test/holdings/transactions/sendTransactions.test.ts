import { eq } from 'drizzle-orm'
import type { Transaction } from 'kassa/schema'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { walletTransactions } from '#base/db/tables/index.js'
import { createTransactionHandlers } from '#holdings/transactions/handlers.js'
import { revertingData } from '../../helpers/createFakeWallets.js'
import {
  createTransactionWorld,
  directCall,
  friend,
  messageOf,
  type TransactionWorld,
} from '../../helpers/createTransactionWorld.js'

let world: TransactionWorld
beforeEach(async () => {
  world = await createTransactionWorld()
})
afterEach(() => world.close())

type TestWallet = Awaited<ReturnType<TransactionWorld['createWallet']>>

const operationOf = (one: Transaction) => {
  if (one.walletType !== 'evm-smart-wallet') throw new Error('no smart wallet’s')
  return one.onChain
}
const hashOf = (one: Transaction): string => operationOf(one).userOperationHash
/** Calls with distinct data, so that their effects can be counted. */
const numbered = (index: number) => ({
  calls: [directCall(`0x${(index + 1).toString(16).padStart(8, '0')}`)],
})
const createMany = async (wallet: TestWallet, count: number) => {
  const created: Transaction[] = []
  for (let index = 0; index < count; index++) created.push(await wallet.create(numbered(index)))
  return created
}
const statusesOf = async (wallet: TestWallet, created: readonly Transaction[]) =>
  Promise.all(created.map(async ({ id }) => (await wallet.get(id)).status))
const refusal = { reason: 'failed_to_land_on_chain' as const, message: 'the chain will not have it' }
const failed = 'wallets.transaction.failed'
const succeeded = 'wallets.transaction.succeeded'
/** How long an owner's operation is valid. */
const approvalMs = 3_600_000

test('default: signed transactions are sent in order, in few bundles, and emit events', async () => {
  await world.listen(succeeded, failed)
  const wallet = await world.createWallet()
  const created = await createMany(wallet, 30)
  await wallet.run()
  expect(world.fake.done.map(({ hash }) => hash)).toEqual(created.map(hashOf))
  expect(new Set(world.fake.done.map(({ key }) => key)).size).toBe(2)
  const [first] = created
  const ended = await wallet.get(first?.id ?? '')
  expect(ended).toMatchObject({
    status: 'success',
    completedAt: expect.stringMatching(/Z$/),
    onChain: {
      txId: expect.stringMatching(/^0x/),
      explorerLink: expect.stringMatching(/^https:\/\/sepolia.basescan.org\/tx\/0x/),
    },
  })
  expect(ended.error).toBeUndefined()
  const events = await world.events()
  expect(events.map(({ actionId }) => actionId)).toEqual(created.map(({ id }) => id))
  expect(events[0]).toMatchObject({
    type: succeeded,
    data: JSON.parse(JSON.stringify(ended)),
    resource: expect.stringMatching(
      new RegExp(`/api/2022-06-09/wallets/${wallet.address}/transactions/${first?.id}$`),
    ),
  })
})

test('behavior: one that reverts on chain fails with the reason, without affecting others', async () => {
  await world.listen(succeeded, failed)
  const wallet = await world.createWallet()
  const good = await wallet.create(numbered(0))
  const bad = await wallet.create({ calls: [directCall(revertingData)] })
  await wallet.run()
  expect(await statusesOf(wallet, [good, bad])).toEqual(['success', 'failed'])
  expect(await wallet.get(bad.id)).toMatchObject({
    error: { reason: 'execution_reverted', revert: { type: 'contract_call', reason: 'Reverted()' } },
    completedAt: expect.any(String),
  })
  expect((await world.events()).map(({ type, actionId }) => [type, actionId])).toEqual([
    [succeeded, good.id],
    [failed, bad.id],
  ])
})

test('behavior: a refused one blocks no other: its nonce is used up, and only then it fails', async () => {
  const wallet = await world.createWallet()
  const created = await createMany(wallet, 5)
  const refused = created[2]
  if (!refused) throw new Error('not created')
  world.fake.state.refusals.set(hashOf(refused), refusal)
  await wallet.run()
  expect(await statusesOf(wallet, created)).toEqual(['success', 'success', 'failed', 'success', 'success'])
  expect(await wallet.get(refused.id)).toMatchObject({ error: refusal })
  // In its place is an operation that does nothing.
  expect(world.fake.done.map(({ calls }) => calls[0]?.data)).toEqual([
    '0x00000001',
    '0x00000002',
    '0x',
    '0x00000004',
    '0x00000005',
  ])
  await wallet.create()
  await wallet.run()
  expect(world.fake.done).toHaveLength(6)
})

test('behavior: a refused one that a third party has sent meanwhile succeeds', async () => {
  const wallet = await world.createWallet()
  const created = await wallet.create(numbered(0))
  const [row] = await world.deps.db
    .select()
    .from(walletTransactions)
    .where(eq(walletTransactions.id, created.id))
  const operation = row?.operation
  if (!operation) throw new Error('not written')
  world.fake.state.refusals.set(hashOf(created), refusal)
  // A third party sends it just before its nonce would be used up.
  world.fake.state.beforeSend = async (key) => {
    if (!key.startsWith('unused:')) return
    world.fake.state.beforeSend = async () => {}
    world.fake.state.refusals.clear()
    await world.fake.operations.send('outside', {
      operations: [operation],
      errors: [[]],
      wallet: { signer: { kind: 'account', address: '' }, salt: '' },
    })
  }
  await expect(wallet.run()).rejects.toThrow(/could not be used up/)
  expect(await wallet.get(created.id)).toMatchObject({ status: 'pending' })
  await wallet.run()
  const ended = await wallet.get(created.id)
  expect(ended).toMatchObject({ status: 'success' })
  expect(ended.error).toBeUndefined()
  expect(world.fake.done).toHaveLength(1)
})

test('behavior: what its owner signed and the chain refuses blocks no other, and fails once it cannot land', async () => {
  await world.listen(succeeded, failed)
  const wallet = await world.createOwnedWallet()
  const created = [
    await wallet.create(numbered(0)),
    await wallet.create(numbered(1)),
    await wallet.create(numbered(2)),
  ]
  const [never, refused, good] = created
  if (!never || !refused || !good) throw new Error('not created')
  world.fake.state.refusals.set(hashOf(refused), refusal)
  for (const one of [good, refused]) await wallet.approve(one.id, messageOf(one))
  await wallet.run()
  expect(await statusesOf(wallet, created)).toEqual(['awaiting-approval', 'pending', 'success'])
  expect(world.fake.done.map(({ hash }) => hash)).toEqual([hashOf(good)])

  await world.advance(approvalMs)
  world.chain.mine()
  for (const { id } of [never, refused]) await expect(world.expire(id)).rejects.toThrow(/may still land/)
  await world.advance(62_000)
  // The service's clock is not the chain's.
  for (const { id } of [never, refused]) await expect(world.expire(id)).rejects.toThrow(/may still land/)
  world.chain.mine()
  for (const { id } of [never, refused, good, never, refused]) await world.expire(id)
  await wallet.run()
  expect(await statusesOf(wallet, created)).toEqual(['failed', 'failed', 'success'])
  expect(await wallet.get(refused.id)).toMatchObject({ error: refusal, completedAt: expect.any(String) })
  expect(await wallet.get(never.id)).toMatchObject({
    error: { reason: 'failed_to_land_on_chain', message: 'The transaction was not approved in time' },
    approvals: { pending: [], submitted: [] },
  })
  expect((await world.events()).map(({ type, actionId }) => [type, actionId])).toEqual([
    [succeeded, good.id],
    [failed, never.id],
    [failed, refused.id],
  ])
})

test('behavior: one that was refused or never approved, and that a third party has sent, succeeds', async () => {
  const wallet = await world.createOwnedWallet()
  const created = [await wallet.create(numbered(0)), await wallet.create(numbered(1))]
  const [refused, unapproved] = created
  if (!refused || !unapproved) throw new Error('not created')
  world.fake.state.refusals.set(hashOf(refused), refusal)
  await wallet.approve(refused.id, messageOf(refused))
  await wallet.run()
  world.fake.state.refusals.clear()
  for (const one of created) {
    const signature = await wallet.sign(messageOf(one))
    const operation = { ...operationOf(one).userOperation, signature }
    const signer = { kind: 'account', address: '' } as const
    const sent = await world.fake.operations.send(one.id, {
      operations: [operation],
      errors: [[]],
      wallet: { signer, salt: '' },
    })
    expect(sent.status).toBe('included')
  }
  await world.advance(approvalMs + 62_000)
  world.chain.mine()
  for (const { id } of created) await world.expire(id)
  expect(await statusesOf(wallet, created)).toEqual(['success', 'success'])
  expect((await wallet.get(refused.id)).error).toBeUndefined()
})

test('behavior: one that was approved in time, and could not be sent while it was valid, fails', async () => {
  const wallet = await world.createOwnedWallet()
  const created = await wallet.create()
  await wallet.approve(created.id, messageOf(created))
  world.chain.state.isAway = true
  await expect(wallet.run()).rejects.toMatchObject({ code: 'chain-unavailable' })
  await world.advance(approvalMs + 62_000)
  await expect(world.expire(created.id)).rejects.toMatchObject({ code: 'chain-unavailable' })
  world.chain.state.isAway = false
  world.chain.mine()
  await world.expire(created.id)
  await wallet.run()
  expect(await wallet.get(created.id)).toMatchObject({
    status: 'failed',
    error: {
      reason: 'failed_to_land_on_chain',
      message: expect.stringMatching(/while its approval was valid/),
    },
  })
  expect(world.fake.done).toEqual([])
})

test('behavior: an account’s calls are sent in order, and one failure ends only that call', async () => {
  await world.listen(succeeded, failed)
  const wallet = await world.createWallet({ type: 'evm-mpc-wallet' })
  const created: Transaction[] = []
  for (let index = 0; index < 20; index++) {
    const data = index === 7 ? revertingData : `0x${(index + 1).toString(16).padStart(8, '0')}`
    created.push(await wallet.createCall({ to: friend, data }))
  }
  await wallet.run()
  expect(world.fake.done.map(({ key }) => key)).toEqual(created.map(({ id }) => `transaction:${id}`))
  const statuses = await statusesOf(wallet, created)
  expect(statuses.filter((status) => status === 'success')).toHaveLength(19)
  expect(statuses[7]).toBe('failed')
  expect(await world.events()).toHaveLength(20)
})

/** Holds the calls of accounts on the chain back: each is signed at once, and lands and ends when the test says so. */
const holdCalls = () => {
  const begun: { land: () => void; end: () => void }[] = []
  const { send } = world.fake.calls
  world.fake.calls.send = async (key, input, options) => {
    options?.onSigned?.()
    await new Promise<void>((resolve) => begun.push({ land: () => options?.onLanded?.(key), end: resolve }))
    return send(key, input)
  }
  return begun
}

test('behavior: a call that comes while another one waits for its confirmations is sent at once', async () => {
  const wallet = await world.createWallet({ type: 'evm-mpc-wallet' })
  const begun = holdCalls()
  const send = createTransactionHandlers(world.deps)['transactions.send']
  const channel = { walletId: wallet.id, chain: 'base-sepolia' }
  const created = [await wallet.createCall()]
  const running = send(channel)
  await expect.poll(() => begun.length).toBe(1)
  created.push(await wallet.createCall())
  // Its job ends at once, because the other one goes on with its call.
  await send(channel)
  await expect.poll(() => begun.length).toBe(2)
  for (const { end } of begun) end()
  await running
  expect(await statusesOf(wallet, created)).toEqual(['success', 'success'])
})

test('behavior: while many calls are in no block yet, no more are sent', async () => {
  const wallet = await world.createWallet({ type: 'evm-mpc-wallet' })
  const begun = holdCalls()
  const created = await Promise.all(Array.from({ length: 210 }, () => wallet.createCall()))
  const running = wallet.run()
  await expect.poll(() => begun.length).toBe(200)
  begun[0]?.land()
  await expect.poll(() => begun.length).toBe(210)
  for (const { end } of begun) end()
  await running
  expect(new Set(await statusesOf(wallet, created))).toEqual(new Set(['success']))
  expect(world.fake.done.map(({ key }) => key.split(':')[1])).toHaveLength(210)
})

test('error: a call that fails ends the run once all that have begun have ended', async () => {
  const wallet = await world.createWallet({ type: 'evm-mpc-wallet' })
  const begun = holdCalls()
  const { send } = world.fake.calls
  const failing = await wallet.createCall()
  world.fake.calls.send = async (key, ...rest) => {
    if (key.endsWith(failing.id)) throw new Error('killed')
    return send(key, ...rest)
  }
  const other = await wallet.createCall()
  let isOver = false
  const running = wallet.run().finally(() => {
    isOver = true
  })
  const failed = expect(running).rejects.toThrow('killed')
  await expect.poll(() => begun.length).toBe(1)
  expect(isOver).toBe(false)
  begun[0]?.end()
  await failed
  expect(await statusesOf(wallet, [failing, other])).toEqual(['pending', 'success'])
})

test('behavior: a chain that is away ends nothing; the next run continues', async () => {
  for (const type of ['evm-smart-wallet', 'evm-mpc-wallet']) {
    const wallet = await world.createWallet({ type })
    const { id } = type === 'evm-smart-wallet' ? await wallet.create() : await wallet.createCall()
    world.chain.state.isAway = true
    await expect(wallet.run()).rejects.toMatchObject({ code: 'chain-unavailable' })
    expect(await wallet.get(id)).toMatchObject({ status: 'pending' })
    world.chain.state.isAway = false
    await wallet.run()
    expect(await wallet.get(id)).toMatchObject({ status: 'success' })
  }
})

test('behavior: killed before or after it was sent, it is sent once and emits its event once', async () => {
  await world.listen(succeeded, failed)
  for (const type of ['evm-smart-wallet', 'evm-mpc-wallet']) {
    for (const when of ['beforeSend', 'afterSend'] as const) {
      const wallet = await world.createWallet({ type })
      const create = () => (type === 'evm-smart-wallet' ? wallet.create() : wallet.createCall())
      const created = [await create(), await create()]
      const before = world.fake.done.length
      world.fake.state[when] = async () => {
        throw new Error('killed')
      }
      await expect(wallet.run()).rejects.toThrow('killed')
      world.fake.state[when] = async () => {}
      // A new transaction must not join those that were being sent.
      created.push(await create())
      await wallet.run()
      expect(await statusesOf(wallet, created)).toEqual(['success', 'success', 'success'])
      expect(world.fake.done.length - before).toBe(3)
      for (const { id } of created) {
        expect((await world.events()).filter(({ actionId }) => actionId === id)).toHaveLength(1)
      }
    }
  }
})

test('behavior: several processes that send the same bundle send it once', async () => {
  await world.listen(succeeded)
  const [kept, account] = [await world.createWallet(), await world.createWallet({ type: 'evm-mpc-wallet' })]
  const created = await createMany(kept, 25)
  const calls = await Promise.all(Array.from({ length: 10 }, () => account.createCall()))
  await Promise.all([kept, account].flatMap((wallet) => [wallet.run(), wallet.run(), wallet.run()]))
  expect(world.fake.done).toHaveLength(35)
  expect(world.fake.done.flatMap(({ hash }) => hash ?? [])).toEqual(created.map(hashOf))
  expect(await world.events()).toHaveLength(created.length + calls.length)
})

test('behavior: jobs of one wallet in one process share one run', async () => {
  const wallet = await world.createWallet()
  const [first] = await createMany(wallet, 1)
  const send = createTransactionHandlers(world.deps)['transactions.send']
  const channel = { walletId: wallet.id, chain: 'base-sepolia' }
  const later: Transaction[] = []
  world.fake.state.beforeSend = async () => {
    world.fake.state.beforeSend = async () => {}
    later.push(await wallet.create(numbered(1)))
    // It arrives while the other is running, and ends at once.
    await send(channel)
  }
  await send(channel)
  expect(await statusesOf(wallet, [...(first ? [first] : []), ...later])).toEqual(['success', 'success'])
})

test('behavior: a transaction to an address that became sanctioned is not sent, and blocks no other', async () => {
  const wallet = await world.createWallet()
  const account = await world.createWallet({ type: 'evm-mpc-wallet' })
  const owned = await world.createOwnedWallet()
  const bad = '0x00000000000000000000000000000000000000ba'
  const calls = [directCall('0x', bad)]
  const created = [
    await wallet.create(numbered(0)),
    await wallet.create({ calls }),
    await wallet.create(numbered(1)),
  ]
  const sent = [
    await account.createCall(),
    await account.createCall({ to: bad, data: '0x' }),
    await account.createCall(),
  ]
  const approved = await owned.create({ calls })
  await owned.approve(approved.id, messageOf(approved))
  world.deps.config.sanctionedAddresses = new Set([bad])
  for (const each of [wallet, account, owned]) await each.run()
  const error = { reason: 'sanctioned_wallet_address' }
  expect(await statusesOf(wallet, created)).toEqual(['success', 'failed', 'success'])
  expect(await wallet.get(created[1]?.id ?? '')).toMatchObject({ error })
  expect(await statusesOf(account, sent)).toEqual(['success', 'failed', 'success'])
  expect(await account.get(sent[1]?.id ?? '')).toMatchObject({ error })
  expect(await owned.get(approved.id)).toMatchObject({ status: 'pending' })
  await world.advance(approvalMs + 62_000)
  world.chain.mine()
  await world.expire(approved.id)
  expect(await owned.get(approved.id)).toMatchObject({ status: 'failed', error })
  expect(world.fake.done.filter(({ calls }) => calls.some(({ to }) => to.toLowerCase() === bad))).toEqual([])
})

test('behavior: nothing is sent from a wallet that became sanctioned', async () => {
  const wallet = await world.createWallet()
  const created = await createMany(wallet, 3)
  world.deps.config.sanctionedAddresses = new Set([wallet.address.toLowerCase()])
  await wallet.run()
  expect(await statusesOf(wallet, created)).toEqual(['failed', 'failed', 'failed'])
  expect(world.fake.done).toEqual([])
  world.deps.config.sanctionedAddresses = new Set()
  const after = await wallet.create(numbered(5))
  await wallet.run()
  expect(await wallet.get(after.id)).toMatchObject({ status: 'success' })
})

test('behavior: a chain that lost its operations is waited for, and in the end the gap is filled', async () => {
  const wallet = await world.createWallet()
  const [first] = await createMany(wallet, 3)
  await wallet.run()
  world.fake.restart()
  const created = await createMany(wallet, 2)
  await expect(wallet.run()).rejects.toThrow(/is not on its chain yet/)
  expect(await statusesOf(wallet, created)).toEqual(['pending', 'pending'])
  await world.advance(15 * 60_000)
  for (let gap = 0; gap < 3; gap++) await expect(wallet.run()).rejects.toThrow(/is not on its chain yet/)
  await wallet.run()
  expect(await statusesOf(wallet, created)).toEqual(['success', 'success'])
  // The earlier operations happened again, once, before the later ones.
  const happened = world.fake.done.map(({ hash }) => hash)
  expect(happened.slice(3)).toEqual([
    ...happened.slice(0, 3),
    ...created.map((one) => operationOf(one).userOperationHash),
  ])
  expect(await wallet.get(first?.id ?? '')).toMatchObject({
    status: 'success',
    onChain: { txId: expect.any(String) },
  })
})

test('behavior: a node that is briefly behind causes no filled gap, however long a transaction has waited', async () => {
  const wallet = await world.createWallet()
  await createMany(wallet, 2)
  await wallet.run()
  const [waiting] = await createMany(wallet, 1)
  await world.advance(60 * 60_000)
  const { getNonce, send } = world.fake.operations
  world.fake.operations.getNonce = async () => 1n
  world.fake.operations.send = async (_, { operations }) => ({
    status: 'refused',
    index: operations.length - 1,
    error: { reason: 'failed_to_land_on_chain', message: 'AA25 invalid account nonce' },
  })
  await expect(wallet.run()).rejects.toThrow(/is not on its chain yet/)
  Object.assign(world.fake.operations, { getNonce, send })
  expect(world.fake.done).toHaveLength(2)
  await wallet.run()
  expect(await statusesOf(wallet, waiting ? [waiting] : [])).toEqual(['success'])
  expect(world.fake.done).toHaveLength(3)
})

test('behavior: a node that is behind never makes a nonce be given twice', async () => {
  const wallet = await world.createWallet()
  await createMany(wallet, 3)
  await wallet.run()
  const { getNonce } = world.fake.operations
  world.fake.operations.getNonce = async () => 1n
  const [next] = await createMany(wallet, 1)
  world.fake.operations.getNonce = getNonce
  expect(next && operationOf(next).userOperation.nonce).toBe('0x3')
  await wallet.run()
  expect(await statusesOf(wallet, next ? [next] : [])).toEqual(['success'])
})

test('behavior: a bundle asks for no more gas than a block has', async () => {
  const wallet = await world.createWallet()
  const created = await createMany(wallet, 4)
  for (const { id, ...one } of created) {
    const operation = {
      ...operationOf({ id, ...one } as Transaction).userOperation,
      callGasLimit: '0x1e8480',
    }
    // The signature covers the gas, so the hash is computed again.
    const operationHash = world.fake.operations.hash(operation)
    const kept = await world.deps.db.select().from(walletTransactions).where(eq(walletTransactions.id, id))
    expect(kept).toHaveLength(1)
    await world.deps.db
      .update(walletTransactions)
      .set({ operation, operationHash })
      .where(eq(walletTransactions.id, id))
  }
  const sent: number[] = []
  const { send } = world.fake.operations
  world.fake.operations.send = async (key, bundle, ...rest) => {
    const { operations } = bundle
    sent.push(operations.length)
    return key.startsWith('bundle:')
      ? { status: 'included', results: operations.map(() => ({ status: 'success', txId: '0x1' })) }
      : send(key, bundle, ...rest)
  }
  await wallet.run()
  expect(sent).toEqual([2, 2])
})

test('behavior: a bundle is no longer than a transaction may be', async () => {
  const wallet = await world.createWallet()
  const created = await createMany(wallet, 5)
  for (const one of created) {
    const operation = { ...operationOf(one).userOperation, callData: `0x${'00'.repeat(38_000)}` }
    const operationHash = world.fake.operations.hash(operation)
    await world.deps.db
      .update(walletTransactions)
      .set({ operation, operationHash })
      .where(eq(walletTransactions.id, one.id))
  }
  const sent: number[] = []
  world.fake.operations.send = async (_, { operations }) => {
    sent.push(operations.length)
    return { status: 'included', results: operations.map(() => ({ status: 'success', txId: '0x1' })) }
  }
  await wallet.run()
  expect(sent).toEqual([2, 2, 1])
})
