import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OpenDatabase } from '#base/db/openedDatabase.js'
import {
  createTransactionWorld,
  messageOf,
  type TransactionWorld,
} from '../../helpers/createTransactionWorld.js'
import { databaseKinds } from '../../helpers/databaseKinds.js'

const nonceOf = (created: unknown) =>
  BigInt((created as { onChain: { userOperation: { nonce: string } } }).onChain.userOperation.nonce)

describe.each(databaseKinds)('on $name', (kind) => {
  let world: TransactionWorld
  let database: OpenDatabase
  beforeAll(async () => {
    database = await kind.open()
    world = await createTransactionWorld({ database })
  })
  afterAll(async () => {
    await world.close()
    await database.close()
  })

  test('behavior: created, sent and read at once, each has its own nonce and is sent once', async () => {
    const wallet = await world.createWallet()
    const [created] = await Promise.all([
      Promise.all(Array.from({ length: 40 }, () => wallet.create())),
      // They find some of them, or none.
      ...Array.from({ length: 5 }, () => wallet.run()),
    ])
    await Promise.all([wallet.run(), wallet.run()])
    const byNonce = created.toSorted((one, other) => Number(nonceOf(one) - nonceOf(other)))
    expect(byNonce.map(nonceOf)).toEqual(Array.from({ length: 40 }, (_, index) => BigInt(index)))
    const hashes = byNonce.map(
      (one) => one.walletType === 'evm-smart-wallet' && one.onChain.userOperationHash,
    )
    expect(world.fake.done.map(({ hash }) => hash)).toEqual(hashes)
    for (const { id } of created) expect(await wallet.get(id)).toMatchObject({ status: 'success' })
  })

  test('behavior: of ten concurrent approvals of one transaction one is accepted, and it is sent once', async () => {
    const wallet = await world.createOwnedWallet()
    const created = await wallet.create()
    const message = messageOf(created)
    const responses = await Promise.all(Array.from({ length: 10 }, () => wallet.approve(created.id, message)))
    expect(responses.map(({ status }) => status).sort()).toEqual([
      201,
      ...Array.from({ length: 9 }, () => 409),
    ])
    await Promise.all([wallet.run(), wallet.run()])
    expect(world.fake.done.filter(({ hash }) => hash === message)).toHaveLength(1)
    expect(await wallet.get(created.id)).toMatchObject({ status: 'success' })
  })

  test('behavior: an account’s calls, sent by three processes at once, are each sent once', async () => {
    const wallet = await world.createWallet({ type: 'evm-mpc-wallet' })
    const created = await Promise.all(Array.from({ length: 12 }, () => wallet.createCall()))
    const before = world.fake.done.length
    await Promise.all([wallet.run(), wallet.run(), wallet.run()])
    const done = world.fake.done.slice(before).map(({ key }) => key)
    expect(done.toSorted()).toEqual(created.map(({ id }) => `transaction:${id}`).toSorted())
  })
})
