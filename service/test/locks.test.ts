import { randomBytes, randomUUID } from 'node:crypto'
import { eq, inArray } from 'drizzle-orm'
import type { UpdateTemplateBody } from 'kassa/schema'
import { createPublicClient, http, keccak256, type TransactionReceipt, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordSpends } from '#adapters/chains/evm/accounts/sponsoredGas.js'
import { signAll } from '#adapters/chains/evm/outbox/signAll.js'
import { replaceSigned, signNext } from '#adapters/chains/evm/outbox/signed.js'
import { openVault } from '#adapters/kms/openVault.js'
import type { Transaction } from '#base/db/database.js'
import type { OpenDatabase } from '#base/db/openedDatabase.js'
import {
  actions,
  chainAccounts,
  chainTransactions,
  nfts,
  paymentTargets,
  sponsoredGas,
  wallets,
  walletTransactions,
  webhookEndpoints,
  webhookEvents,
} from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import type { ServiceError } from '#base/errors.js'
import { finishAction, startAction } from '#goods/actions/actions.js'
import { allocateTokens } from '#goods/collections/allocateTokens.js'
import { findCollection } from '#goods/collections/findCollection.js'
import { applyNftChanges } from '#goods/nfts/applyNftChanges.js'
import { lockNft } from '#goods/nfts/findNft.js'
import { mintNft } from '#goods/nfts/mintNft.js'
import { splitBatch } from '#goods/nfts/refuseBatch.js'
import { deleteTemplate } from '#goods/templates/deleteTemplate.js'
import { updateTemplate } from '#goods/templates/updateTemplate.js'
import { burnNft } from '#holdings/transactions/burnNft.js'
import { takeSequences } from '#holdings/transactions/nonceChannels.js'
import { changeBundle, createBundle } from '#holdings/transactions/operations/changeBundle.js'
import { giveUp } from '#holdings/transactions/operations/takeBundle.js'
import { recordResults } from '#holdings/transactions/recordResults.js'
import { assertMasterKey } from '#identity/keys/assertMasterKey.js'
import { rotateSecret } from '#notify/webhooks/endpointSecrets.js'
import { createEndpoint } from '#notify/webhooks/endpoints.js'
import { createAuthorization } from '#sale/authorizations/createAuthorization.js'
import { editOrder } from '#sale/orders/requoteOrder.js'
import { watchTargets } from '#sale/orders/watchTargets.js'
import { createFakeAuthorizations } from './helpers/createFakeAuthorizations.js'
import { createFakeChain } from './helpers/createFakeChain.js'
import {
  createOrderWorld,
  type OrderWorld,
  payerAddress,
  recipientAddress,
} from './helpers/createOrderWorld.js'
import { databaseKinds } from './helpers/databaseKinds.js'
import { meet } from './helpers/meet.js'

/** Rows that two processes write at once. The locks of orders have their own tests. */
describe.each(databaseKinds.filter(({ name }) => name === 'PostgreSQL'))('on $name', (kind) => {
  let url: string
  let database: OpenDatabase
  let another: OpenDatabase
  let world: OrderWorld
  let beside: Deps

  beforeAll(async () => {
    const opened = await kind.open()
    database = opened
    url = opened.url ?? ''
    another = await kind.open(url)
    const fake = createFakeChain({ now: Date.now })
    world = await createOrderWorld({ db: database.db, chains: [fake.port], now: Date.now })
    beside = { ...world.deps, db: another.db }
    await world.createCollection({ id: 'tea' })
  })
  afterAll(async () => {
    await database.close()
    await another.close()
  })

  /** Runs one operation in two processes while the test holds the rows that they write; gives both answers. */
  const twice = async <answer>(hold: string, operation: (deps: Deps, at: number) => Promise<answer>) => {
    const answers: answer[] = []
    const operations = [world.deps, beside].map((deps, at) => async () => {
      answers[at] = await operation(deps, at)
    })
    const ended = await meet(url, { text: hold }, operations)
    for (const one of ended) if (one.status === 'rejected') throw one.reason
    return answers
  }

  const addNft = async (id: string, change: Partial<typeof nfts.$inferInsert> = {}) => {
    await database.db.insert(nfts).values({
      id,
      projectId: world.projectId,
      collectionId: 'tea',
      status: 'success',
      tokenId: 1n,
      metadata: { name: id, image: 'ipfs://x', description: '' },
      uri: 'ipfs://old',
      locale: 'en-US',
      hasNotification: false,
      createdAt: new Date(),
      ...change,
    })
  }

  test('behavior: an action that two processes end emits its event once', async () => {
    const id = randomUUID()
    const { projectId, deps } = world
    await createEndpoint(deps, {
      projectId,
      url: 'https://shop.example/hook',
      eventTypes: ['nfts.create.succeeded'],
    })
    const action = { id, projectId, action: 'nfts.create' as const, data: {}, resource: '/nft' }
    await deps.db.transaction((tx) => startAction(deps, tx, action))
    await twice('select 1 from actions for update', (each, at) =>
      each.db.transaction((tx) =>
        finishAction(each, tx, id, { status: 'succeeded', data: { txId: `tx ${at}` } }),
      ),
    )
    expect(await database.db.$count(webhookEvents)).toBe(1)
    const [row] = await database.db.select().from(actions).where(eq(actions.id, id))
    expect(row).toMatchObject({ status: 'succeeded', data: { txId: 'tx 0' } })
  })

  const sender = { chain: 'base-sepolia', sender: '0xaa' }
  const sign = (deps: Deps, key: string) =>
    signNext(deps.db, { ...sender, key, chainNonce: 0, assertDue: undefined }, async (nonce) =>
      toHex(`${key}:${nonce}`),
    )

  test('behavior: two processes that sign for one sender use two nonces', async () => {
    await sign(world.deps, 'first')
    const signed = await twice('select 1 from chain_accounts for update', (deps, at) =>
      sign(deps, `at once ${at}`),
    )
    expect(signed).toMatchObject([{ nonce: 1 }, { nonce: 2 }])
  })

  test('behavior: two processes that sign under one key sign once', async () => {
    const signed = await twice('select 1 from chain_accounts for update', (deps) => sign(deps, 'shared'))
    expect(signed[0]).toEqual(signed[1])
  })

  test('behavior: two processes that sign several each use different nonces, in order', async () => {
    const signTwo = async (deps: Deps, at: number) => {
      const keys = [`one of ${at}`, 'of both', `two of ${at}`]
      const writes = keys.map((key) => ({ key, sign: async (nonce: number) => toHex(`${key}:${nonce}`) }))
      const rows = await signAll(deps.db, { ...sender, sender: '0xbb', chainNonce: 0 }, writes)
      return rows.map((row) => ('nonce' in row ? row.nonce : undefined))
    }
    await signTwo(world.deps, 9)
    const signed = await twice('select 1 from chain_accounts for update', signTwo)
    expect(signed).toEqual([
      [3, 1, 4],
      [5, 1, 6],
    ])
  })

  test('behavior: spending that two processes record takes no more of the top-ups than is left', async () => {
    const address = '0x00000000000000000000000000000000000000cc'
    const chain = 'base-sepolia'
    const keyOf = (name: string) => `${chain}:${name}`
    const toRow = (name: string, nonce: number) => ({
      key: keyOf(name),
      chain,
      sender: address,
      nonce,
      signedTransaction: '0x',
      txId: `0x${name}`,
      status: 'succeeded' as const,
      blockNumber: 7n,
    })
    await database.db
      .insert(chainTransactions)
      .values([{ ...toRow('gift', 0), sender: '0xdd' }, toRow('a', 0), toRow('b', 1), toRow('c', 2)])
    const gift = { key: keyOf('gift'), chain, account: address, givenWei: 100n, spentWei: 0n }
    await database.db.insert(sponsoredGas).values(gift)
    await database.db.insert(chainAccounts).values({ id: `${chain}:${address}`, nextNonce: 3 })
    const receiptOf = (name: string) =>
      ({ transactionHash: `0x${name}`, gasUsed: 40n, effectiveGasPrice: 1n }) as unknown as TransactionReceipt
    const record = (deps: Deps, at: number) => {
      const names = at === 0 ? ['a', 'b'] : ['b', 'c']
      // No top-up is on its way, so the node is not asked.
      const account = { db: deps.db, client: createPublicClient({ transport: http('http://0.0.0.0:1') }) }
      const calls = names.map((key) => ({ key, receipt: receiptOf(key) }))
      return recordSpends({ ...account, chain, address }, calls)
    }
    await twice('select 1 from chain_accounts for update', record)
    const rows = await database.db.select().from(sponsoredGas).where(eq(sponsoredGas.account, address))
    const spent = new Map(rows.map(({ key, spentWei }) => [key, spentWei]))
    expect(['gift', 'a', 'b', 'c'].map((name) => spent.get(keyOf(name)))).toEqual([0n, 40n, 40n, 20n])
  })

  test('behavior: a stuck transaction that two processes sign again is signed again once', async () => {
    const stuck = await sign(world.deps, 'stuck')
    if (!('nonce' in stuck)) throw new Error('it was refused')
    const hold = 'select 1 from chain_accounts, chain_transactions for update'
    const replaced = await twice(hold, (deps, at) =>
      replaceSigned(deps.db, stuck, async () => toHex(`anew ${at}`)),
    )
    const txId = keccak256(toHex('anew 0'))
    expect(replaced.map(({ txId }) => txId)).toEqual([txId, txId])
  })

  test('behavior: the last token of a supply, requested by two processes, is assigned once', async () => {
    await world.createCollection({ id: 'last', supplyLimit: 2 })
    const collection = { projectId: world.projectId, id: 'last' }
    const allocate = (deps: Deps) => deps.db.transaction((tx) => allocateTokens(tx, { collection }, 1))
    expect(await allocate(world.deps)).toEqual({ tokenIds: ['1'] })
    const given = await twice('select 1 from collections for update', allocate)
    expect(given).toEqual([{ tokenIds: ['2'] }, { isShort: 'collection', limit: 2 }])
  })

  test('behavior: of two signed payments at once, the second counts the first against the caps', async () => {
    const chain = createFakeChain({ now: Date.now })
    const { port, state } = createFakeAuthorizations(chain, database.db)
    const gasless = { maxFeeBasisPoints: 1_000, perOrder: 9, perPayer: 1, perProject: 9, perChain: 9 }
    const signed = await createOrderWorld({
      db: database.db,
      chains: [port],
      now: Date.now,
      config: { gasless },
    })
    await signed.createCollection({ id: 'cups' })
    const payment = { method: 'base-sepolia', currency: 'usdc', payerAddress }
    const create = () => signed.create({ lineItems: { collectionLocator: 'kassa:cups' }, payment })
    const orders = [await create(), await create()]
    const operations = [signed.deps, { ...signed.deps, db: another.db }].map((deps, at) => () => {
      const orderId = orders[at]?.order.orderId ?? ''
      const body = { kind: 'erc3009' as const, payerAddress, domain: {}, message: {}, signature: '0x01' }
      return createAuthorization(deps, signed.secretCall(orderId), { orderId, body })
    })
    const ended = await meet(
      url,
      { text: 'lock table authorizations in share row exclusive mode' },
      operations,
    )
    expect(ended).toMatchObject([{ status: 'fulfilled' }, { reason: { code: 'rate-limited' } }])
    expect(state.sent).toHaveLength(1)
  })

  test('behavior: an order that is being created holds up no other order of its chain', async () => {
    const create = () => world.create({ lineItems: [{ collectionLocator: 'kassa:tea' }] })
    const orderIds = [(await create()).order.orderId, (await create()).order.orderId]
    const [first = '', second = ''] = orderIds
    const head = { number: 9n, hash: '0x9', timestampMs: 0 }
    const watch = (tx: Transaction, orderId: string) =>
      watchTargets(tx, [{ orderId, chain: 'base-sepolia', targets: [`at ${orderId}`], head }], Date.now())
    await database.db.transaction(async (tx) => {
      await watch(tx, first)
      await another.db.transaction((beside) => watch(beside, second))
    })
    const targets = orderIds.map((orderId) => `at ${orderId}`)
    expect(await database.db.$count(paymentTargets, inArray(paymentTargets.target, targets))).toBe(2)
  })

  test('behavior: a token that two processes burn is burned by one transaction', async () => {
    const body = {
      recipient: 'email:ada@example.com:base-sepolia',
      metadata: { name: 'One', image: 'ipfs://one' },
    }
    const { id: nftId } = await mintNft(world.deps, world.serverCall, { collectionId: 'tea', body })
    await world.drain()
    const burnt = await twice('select 1 from nfts for update', (deps) =>
      burnNft(deps, world.serverCall, { collectionId: 'tea', nftId }).catch(
        ({ code, message }: ServiceError) => ({ code, message }),
      ),
    )
    expect(burnt).toMatchObject([
      { action: 'nfts.delete', status: 'pending' },
      { code: 'conflict', message: expect.stringContaining('about to be burned') },
    ])
    expect(await database.db.$count(walletTransactions)).toBe(1)
  })

  test('behavior: calls that two processes number get different places', async () => {
    const [first] = await database.db.select().from(walletTransactions)
    if (!first) throw new Error('the burn of the test before is gone')
    const number = (deps: Deps) => deps.db.transaction((tx) => takeSequences(tx, first, 3))
    const taken = await twice('select 1 from wallet_lanes for update', number)
    expect(taken[1]).toBe((taken[0] ?? 0n) + 3n)
  })

  test('behavior: results that two processes record, in whatever order, emit one event each', async () => {
    const [first] = await database.db.select().from(walletTransactions)
    const [wallet] = await database.db.select().from(wallets)
    if (!first || !wallet) throw new Error('the burn of the test before is gone')
    const rows = [101n, 102n, 103n].map((sequence) => ({ ...first, id: randomUUID(), sequence }))
    await database.db.insert(walletTransactions).values(rows)
    const eventTypes = ['wallets.transaction.succeeded' as const]
    const { projectId } = world
    await createEndpoint(world.deps, { projectId, url: 'https://shop.example/hook', eventTypes })
    const before = await database.db.$count(webhookEvents)
    await twice('select 1 from wallet_transactions for update', (deps, at) => {
      const some = at === 0 ? rows.slice(0, 2) : rows.toReversed()
      const ended = some.map(({ id }) => ({ id, result: { status: 'success' as const, txId: `tx ${at}` } }))
      return deps.db.transaction((tx) => recordResults(deps, tx, wallet, ended))
    })
    expect((await database.db.$count(webhookEvents)) - before).toBe(3)
    const ids = rows.map(({ id }) => id)
    const ended = await database.db
      .select({ txId: walletTransactions.txId })
      .from(walletTransactions)
      .where(inArray(walletTransactions.id, ids))
      .orderBy(walletTransactions.sequence)
    expect(ended.map(({ txId }) => txId)).toEqual(['tx 0', 'tx 0', 'tx 1'])
    await database.db.delete(walletTransactions).where(inArray(walletTransactions.id, ids))
  })

  test('behavior: a transaction whose end is being recorded is not given up as well', async () => {
    const [first] = await database.db.select().from(walletTransactions)
    if (!first) throw new Error('the burn of the test before is gone')
    const { members } = await database.db.transaction((tx) => createBundle(world.deps, tx, [first]))
    const end = {
      text: "update wallet_transactions set status = 'success', completed_at = now() where id = $1",
      values: [first.id],
    }
    const error = { reason: 'execution_reverted', message: 'too late' } as const
    const giveUpLate = () =>
      changeBundle(beside, members, async (tx) => {
        for (const row of members) await giveUp(tx, row, error)
      })
    expect(await meet(url, end, [giveUpLate])).toMatchObject([{ status: 'fulfilled' }])
    const [row] = await database.db.select().from(walletTransactions)
    expect(row).toMatchObject({ status: 'success', error: null })
  })

  describe('a template that one process deletes while another', () => {
    const lineItemsOf = (templateId: string) => ({ collectionLocator: `kassa:tea:${templateId}` })
    const remove = (templateId: string) =>
      deleteTemplate(beside, world.serverCall, { collectionId: 'tea', templateId })
    const hold = { text: 'select 1 from templates for update' }

    test('behavior: creates an order: whichever is first stops the other', async () => {
      const templateId = await world.createTemplate({ collectionId: 'tea' })
      const create = () => world.create({ lineItems: lineItemsOf(templateId) })
      const [created, removed] = await meet(url, hold, [create, () => remove(templateId)])
      expect(created?.status).toBe('fulfilled')
      expect(removed).toMatchObject({
        reason: { code: 'conflict', message: expect.stringContaining('1 open order must end first') },
      })

      const otherId = await world.createTemplate({ collectionId: 'tea' })
      const [gone, refused] = await meet(url, hold, [
        () => remove(otherId),
        () => world.create({ lineItems: lineItemsOf(otherId) }),
      ])
      expect(gone?.status).toBe('fulfilled')
      expect(refused).toMatchObject({
        reason: { code: 'not-found', message: `Template ${otherId} not found` },
      })
    })

    test('behavior: quotes an order again: the order loses the item', async () => {
      const templateId = await world.createTemplate({ collectionId: 'tea' })
      const { order } = await world.create({ lineItems: lineItemsOf(templateId), recipient: undefined })
      const recipient = { walletAddress: recipientAddress }
      const edit = { orderId: order.orderId, body: { recipient } }
      const ended = await meet(url, hold, [
        () => remove(templateId),
        () => editOrder(world.deps, world.serverCall, edit),
      ])
      expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
      expect((await world.get(order.orderId)).quote.status).toBe('all-line-items-unavailable')
    })

    test('behavior: mints from it: the mint that comes second is refused', async () => {
      const templateId = await world.createTemplate({ collectionId: 'tea' })
      const body = { recipient: `base-sepolia:${recipientAddress}`, templateId }
      const [gone, refused] = await meet(url, { text: 'select 1 from collections for update' }, [
        () => remove(templateId),
        () => mintNft(world.deps, world.serverCall, { collectionId: 'tea', body }),
      ])
      expect(gone?.status).toBe('fulfilled')
      expect(refused).toMatchObject({ reason: { message: `Template ${templateId} not found` } })
    })
  })

  describe('a template that one process mints from while another', () => {
    const hold = { text: 'select 1 from collections for update' }
    const mintBefore = async (collectionId: string, body: UpdateTemplateBody) => {
      const templateId = await world.createTemplate({ collectionId, supplyLimit: 5 })
      const collection = { projectId: world.projectId, id: collectionId }
      const [minted, changed] = await meet(url, hold, [
        () => database.db.transaction((tx) => allocateTokens(tx, { collection, templateId }, 2)),
        () => updateTemplate(beside, world.serverCall, { collectionId, templateId, body }),
      ])
      expect(minted?.status).toBe('fulfilled')
      return changed
    }

    test('behavior: lowers its limit: the copies that were minted first count', async () => {
      expect(await mintBefore('tea', { supply: { limit: 1 } })).toMatchObject({
        reason: { code: 'input-invalid', message: expect.stringContaining('less than the 2 copies') },
      })
    })

    test('behavior: changes metadata that the copies share: the change is refused', async () => {
      await world.createCollection({ id: 'mugs', fungibility: 'semi-fungible' })
      expect(await mintBefore('mugs', { metadata: { name: 'Mug' } })).toMatchObject({
        reason: { code: 'conflict', message: expect.stringContaining('share one token') },
      })
    })
  })

  test('behavior: of two master keys in a new database, one is accepted', async () => {
    const vaults = [0, 1].map(() =>
      openVault({ masterKey: randomBytes(32), otherMasterKeys: [] }, randomBytes),
    )
    const first = await kind.open()
    const second = await kind.open(first.url)
    const ended: string[] = []
    const operations = [first, second].map(({ db }, at) => async () => {
      const vault = vaults[at]
      if (!vault) throw new Error('no vault')
      ended[at] = await assertMasterKey({ db, vault, randomBytes }).then(
        () => 'taken',
        () => 'refused',
      )
    })
    const hold = { text: 'lock table master_key_checks in share row exclusive mode' }
    await meet(first.url ?? '', hold, operations)
    await first.close()
    await second.close()
    expect(ended).toEqual(['taken', 'refused'])
  })

  test('behavior: updates of one token by two processes have two revisions', async () => {
    await addNft('changing')
    const nft = { projectId: world.projectId, collectionId: 'tea', id: 'changing' }
    const collection = await findCollection(database.db, world.projectId, 'tea')
    if (!collection) throw new Error('no collection')
    await twice('select 1 from nfts for update', (deps, at) =>
      deps.db.transaction(async (tx) => {
        const locked = await lockNft(tx, nft)
        if (!locked) throw new Error('no token')
        const metadata = { name: `change ${at}`, image: 'ipfs://x', description: '' }
        const asked = { content: { metadata, uri: `ipfs://${at}` }, expiresAt: undefined }
        await applyNftChanges(deps, tx, { collection, nft: locked, asked })
      }),
    )
    const [row] = await database.db.select().from(nfts).where(eq(nfts.id, 'changing'))
    expect(row).toMatchObject({ revision: 2, uri: 'ipfs://1' })
  })

  test('behavior: a batch that two processes split is split once', async () => {
    const batchId = randomUUID()
    for (const id of ['left', 'right']) await addNft(id, { status: 'pending', batchId })
    const batch = { projectId: world.projectId, collectionId: 'tea', batchId, attempt: 3 }
    const before = world.queue.length
    await twice('select 1 from nfts for update', (deps) => splitBatch(deps, batch))
    const rows = await database.db.select().from(nfts).where(eq(nfts.status, 'pending'))
    const jobs = world.queue.slice(before).map(({ data }) => data.batchId)
    expect(jobs.toSorted()).toEqual(rows.map((row) => row.batchId).toSorted())
  })

  test('behavior: of two concurrent rotations of a secret, both new ones are kept', async () => {
    const { projectId, deps } = world
    const { id } = await createEndpoint(deps, {
      projectId,
      url: 'https://shop.example/other',
      eventTypes: ['nfts.create.failed'],
    })
    await twice('select 1 from webhook_endpoints for update', (each) =>
      rotateSecret(each, { endpointId: id, keepMs: 60_000 }),
    )
    const [row] = await database.db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, id))
    expect(row?.secrets).toHaveLength(3)
    expect(row?.secrets.filter(({ expiresAt }) => expiresAt === undefined)).toHaveLength(1)
  })
})
