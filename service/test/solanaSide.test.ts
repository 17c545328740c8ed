import { type Address, generateKeyPairSigner } from '@solana/kit'
import { fetchMint } from '@solana-program/token-2022'
import { CredentialAnswer, NftList, Order, TemplateList, WalletTokenList } from 'kassa/schema'
import { beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { readMint } from '#adapters/chains/solana/collections/readMint.js'
import { toCollectionRef } from '#goods/collections/viewCollection.js'
import { updateOrder } from '#sale/orders/updateOrder.js'
import { createSolanaService } from './helpers/createSolanaService.js'
import { withUnits } from './helpers/createTestSolana.js'
import { openBeforeAll } from './helpers/openBeforeAll.js'
import { readStored } from './helpers/readStored.js'
import { createWeb3Buyer } from './helpers/web3Buyer.js'

const world = openBeforeAll(createSolanaService)
const image = 'https://shop.example/tea.png'
const metadata = { name: 'Oolong', image, attributes: [{ trait_type: 'Year', value: 2026 }] }
const base58 = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/
const signature = expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/)
const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT/)

const rpc = () => world.solana.rpc
const readChain = (mint: string) => readMint(rpc(), mint as Address)
const readJson = (uri?: string): Promise<unknown> => readStored(world.service.deps, uri)
const createAddress = async () => (await generateKeyPairSigner()).address
const ownerOf = async (mintHash: string) => {
  const held = await world.solana.chain.wallets.findOwner({ contract: mintHash, tokenId: '' })
  return typeof held === 'object' ? held.owner : held
}

const WithMint = z.looseObject({ onChain: z.looseObject({ mintAddress: z.string() }) })
const Minted = z.looseObject({
  onChain: z.looseObject({ mintHash: z.string(), owner: z.string(), mintAddress: z.string() }),
})
const mintAddressOf = async (path: string) =>
  z.parse(WithMint, await world.ask(200, 'GET', path)).onChain.mintAddress
const readNft = async (collectionId: string, nftId: string) =>
  z.parse(Minted, await world.ask(200, 'GET', `/collections/${collectionId}/nfts/${nftId}`)).onChain

describe('collections', () => {
  const body = {
    chain: 'solana',
    supplyLimit: 2,
    fungibility: 'non-fungible',
    metadata: { name: 'Teas', symbol: 'TEA', description: 'All teas', imageUrl: image },
    payments: {
      price: '0.5',
      currency: 'sol',
      recipientAddress: '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU',
    },
  }

  test('default: PUT creates a group of Token-2022, once, and an event tells of it', async () => {
    const { answer, actionId, action } = await world.change('PUT', '/collections/teas', body)
    const mintAddress = await mintAddressOf('/collections/teas')
    expect(answer).toEqual({
      id: 'teas',
      fungibility: 'non-fungible',
      transferable: true,
      supplyLimit: 2,
      actionId,
      supply: { minted: 0, reserved: 0 },
      metadata: { ...body.metadata, imageUrl: expect.stringMatching(/^ipfs:/) },
      onChain: { chain: 'solana', type: 'token-2022', mintAddress: expect.stringMatching(base58) },
      payments: { ...body.payments, royaltyBasisPoints: 0 },
      subscription: { enabled: false },
    })
    const data = { chain: 'solana', txId: signature, collection: { id: 'teas', mintAddress } }
    expect(action).toMatchObject({ action: 'collections.create', data, startedAt: isoTime })
    expect(await world.awaitEvent('collections.create.succeeded', actionId)).toMatchObject({ data })
    expect(await readChain(mintAddress)).toMatchObject({
      metadata: { name: 'Teas', symbol: 'TEA' },
      maxSize: 2n,
      supply: 0n,
      isOpen: false,
    })
    const again = await world.ask(200, 'PUT', '/collections/teas', body)
    expect(again).toMatchObject({ actionId })
    await world.refuse(409, ['PUT', '/collections/teas', { ...body, supplyLimit: 3 }], 'collectionId')
  })

  test('default: PATCH changes the group, and the event names what changed', async () => {
    const path = '/collections/patched'
    await world.change('PUT', path, body)
    const mintAddress = await mintAddressOf(path)
    const longer = 'Teas of the mountains of the west'
    const changes = { supplyLimit: 5, metadata: { name: longer } }
    const { actionId } = await world.change('PATCH', path, changes)
    expect(await readChain(mintAddress)).toMatchObject({ metadata: { name: longer }, maxSize: 5n })
    expect(await readJson((await readChain(mintAddress))?.metadata.uri)).toMatchObject({ name: longer })
    expect(await world.awaitEvent('collections.update.succeeded', actionId)).toMatchObject({
      data: {
        chain: 'solana',
        txId: signature,
        collection: { id: 'patched', mintAddress },
        changes: expect.arrayContaining(['supplyLimit', 'metadata']),
      },
    })
    await world.refuse(400, ['PATCH', path, { transferable: false }], 'transferable: cannot change on Solana')
    await world.change('PATCH', path, { transferable: true, supplyLimit: 6 })
  })

  test('default: POST takes a UUID as the id, and lists have every collection', async () => {
    const { id } = await world.change('POST', '/collections', body)
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
    expect(await world.ask(200, 'GET', '/collections?perPage=50')).toMatchObject({
      results: expect.arrayContaining([
        expect.objectContaining({ id, onChain: expect.objectContaining({ chain: 'solana' }) }),
        expect.objectContaining({ id: 'default-solana' }),
      ]),
    })
  })

  test('default: every project has default-solana, which mints', async () => {
    expect(await world.ask(200, 'GET', '/collections/default-solana')).toMatchObject({
      id: 'default-solana',
      onChain: { chain: 'solana', type: 'token-2022' },
    })
    const recipient = `solana:${await createAddress()}`
    await world.change('PUT', '/collections/default-solana/nfts/one', { recipient, metadata })
    expect(await ownerOf((await readNft('default-solana', 'one')).mintHash)).toBe(recipient.slice(7))
  })

  test.each([
    [
      'a subscription',
      { subscription: { enabled: true } },
      'subscription.enabled: subscriptions are for EVM',
    ],
    [
      'an EVM address that is paid',
      { payments: { price: '1', currency: 'sol', recipientAddress: `0x${'11'.repeat(20)}` } },
      'payments.recipientAddress: ',
    ],
    [
      'base58 that is not 32 bytes',
      { payments: { price: '1', currency: 'sol', recipientAddress: '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83T' } },
      'payments.recipientAddress: ',
    ],
  ])('error: %s is refused with a sentence', async (_, more, message) => {
    const refused = { chain: 'solana', metadata: { name: 'Refused' }, ...more }
    await world.refuse(400, ['PUT', '/collections/refused', refused], message)
    await world.refuse(404, ['GET', '/collections/refused'], 'Collection refused not found')
  })
})

describe('tokens', () => {
  beforeAll(async () => {
    await world.change('PUT', '/collections/shop', {
      chain: 'solana',
      metadata: { name: 'Shop', symbol: 'S' },
    })
  })

  test('default: PUT mints a member of the group, once, and an event has its mintHash', async () => {
    const recipient = await createAddress()
    const path = '/collections/shop/nfts/first'
    const body = { recipient: `solana:${recipient}`, metadata, compressed: true, locale: 'de-DE' }
    const { answer, actionId, action } = await world.change('PUT', path, body)
    const mintAddress = await mintAddressOf('/collections/shop')
    expect(answer).toEqual({
      id: 'first',
      actionId,
      metadata: expect.objectContaining({ name: 'Oolong' }),
      onChain: { status: 'pending', chain: 'solana', mintAddress, compressed: false },
    })
    const minted = await readNft('shop', 'first')
    expect(minted).toEqual({
      status: 'success',
      chain: 'solana',
      mintAddress,
      compressed: false,
      mintHash: expect.stringMatching(base58),
      owner: recipient,
      txId: signature,
    })
    const data = {
      chain: 'solana',
      txId: signature,
      collection: { id: 'shop', mintAddress },
      recipient: { walletAddress: recipient },
      token: { id: 'first', owner: { walletAddress: recipient }, mintHash: minted.mintHash },
    }
    expect(action).toMatchObject({ action: 'nfts.create', data })
    const event = await world.awaitEvent('nfts.create.succeeded', actionId)
    expect(event).toMatchObject({ data, startedAt: isoTime, completedAt: isoTime })
    const { data: mint } = await fetchMint(rpc(), minted.mintHash as Address)
    expect(mint).toMatchObject({ decimals: 0, supply: 1n, mintAuthority: { __option: 'None' } })
    expect(await readChain(minted.mintHash)).toMatchObject({ metadata: { name: 'Oolong', symbol: 'S' } })
    expect(await world.ask(200, 'PUT', path, body)).toMatchObject({ actionId })
    await world.refuse(409, ['PUT', path, { ...body, metadata: { ...metadata, name: 'X' } }], 'nftId')
  })

  test('default: PATCH changes what the mint says, and the event says what changed', async () => {
    await world.change('PUT', '/collections/shop/nfts/changing', {
      recipient: `solana:${await createAddress()}`,
      metadata,
    })
    const { mintHash } = await readNft('shop', 'changing')
    const polished = { ...metadata, name: 'Oolong, of the second harvest' }
    const path = '/collections/shop/nfts/changing'
    const { actionId } = await world.change('PATCH', path, { metadata: polished })
    const shown = await readChain(mintHash)
    expect(shown?.metadata.name).toBe(polished.name)
    expect(await readJson(shown?.metadata.uri)).toMatchObject({ name: polished.name })
    expect(await world.awaitEvent('nfts.update.succeeded', actionId)).toMatchObject({
      data: { chain: 'solana', token: { mintHash, owner: {} }, changes: ['metadata'] },
    })
    const subscription = { expiresAt: '2035-06-01T00:00:00.000Z' }
    await world.refuse(400, ['PATCH', path, { subscription }], 'subscription')
  })

  test.each([
    ['email', 'ada@example.com'],
    ['userId', 'ada-7'],
    ['twitter', 'ada'],
  ])('default: POST mints to the wallet that is kept for a user: %s', async (kind, name) => {
    const recipient = `${kind}:${name}:solana`
    const { id, actionId } = await world.change('POST', '/collections/shop/nfts', { recipient, metadata })
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
    const { owner, mintHash } = await readNft('shop', id)
    expect(await ownerOf(mintHash)).toBe(owner)
    expect(await world.ask(200, 'GET', `/wallets/${kind}:${name}:solana-mpc-wallet`)).toMatchObject({
      type: 'solana-mpc-wallet',
      address: owner,
    })
    const event = await world.awaitEvent('nfts.create.succeeded', actionId)
    const email = kind === 'email' ? { email: name } : {}
    expect(event?.data.recipient).toEqual({ walletAddress: owner, ...email })
  })

  test('default: they are listed, newest first, in pages', async () => {
    await world.change('PUT', '/collections/paged', { chain: 'solana', metadata: { name: 'Paged' } })
    for (const nftId of ['a', 'b', 'c']) {
      const recipient = `solana:${await createAddress()}`
      await world.change('PUT', `/collections/paged/nfts/${nftId}`, { recipient, metadata })
    }
    const list = async (page: number) => {
      const answer = await world.ask(200, 'GET', `/collections/paged/nfts?page=${page}&perPage=2`)
      return z.parse(NftList, answer).map(({ id }) => id)
    }
    expect([await list(1), await list(2), await list(3)]).toEqual([['c', 'b'], ['a'], []])
  })

  test('default: DELETE burns what a kept wallet holds, and refuses what another holds', async () => {
    const path = '/collections/shop/nfts/burning'
    await world.change('PUT', path, { recipient: 'email:bob@example.com:solana', metadata })
    const { mintHash } = await readNft('shop', 'burning')
    const { actionId } = await world.change('DELETE', path)
    expect(await ownerOf(mintHash)).toBeUndefined()
    expect(await world.awaitEvent('nfts.delete.succeeded', actionId)).toMatchObject({
      data: { chain: 'solana', txId: signature, token: { mintHash } },
    })
    const held = '/collections/shop/nfts/held'
    await world.change('PUT', held, { recipient: `solana:${await createAddress()}`, metadata })
    await world.refuse(409, ['DELETE', held], 'a wallet that the service does not sign for')
  })

  test('behavior: a mint that the chain refuses fails, and its event says why', async () => {
    const path = '/collections/small'
    await world.change('PUT', path, { chain: 'solana', metadata: { name: 'Small' } })
    const collection = toCollectionRef({
      projectId: world.service.projectId,
      id: 'small',
      fungibility: 'non-fungible',
      isSubscription: false,
      isTransferable: true,
    })
    // The group has a limit that the service does not know.
    const terms = { name: 'Small', symbol: 'S', uri: 'ipfs://small', supplyLimit: 1n, transferable: true }
    await world.solana.chain.updateCollection('limit', { collection, revision: 99n, terms })
    const recipient = await createAddress()
    await world.change('PUT', `${path}/nfts/one`, { recipient: `solana:${recipient}`, metadata })
    const stopSkipping = world.skipPauses()
    const { actionId, action } = await world.change(
      ...(['PUT', `${path}/nfts/two`, { recipient: `solana:${recipient}`, metadata }, 'failed'] as const),
    )
    stopSkipping()
    const data = {
      chain: 'solana',
      collection: { id: 'small', mintAddress: await mintAddressOf(path) },
      recipient: { walletAddress: recipient },
      token: { id: 'two' },
      error: { reason: 'execution_reverted', message: expect.stringContaining('reverted') },
    }
    expect(action.data).toMatchObject(data)
    const event = await world.awaitEvent('nfts.create.failed', actionId)
    expect(event.data).toMatchObject(data)
    expect(event).not.toHaveProperty('completedAt')
    expect(await world.ask(200, 'GET', `${path}/nfts/two`)).toMatchObject({ onChain: { status: 'failed' } })
  })

  test('parameters: transferable: false binds each token on chain, and none of them is compressed', async () => {
    const path = '/collections/bound'
    const bound = { chain: 'solana', metadata: { name: 'Bound' }, transferable: false }
    const { answer } = await world.change('PUT', path, bound)
    expect(answer).toMatchObject({ transferable: false })
    const recipient = `solana:${await createAddress()}`
    await world.refuse(
      ...([
        400,
        ['POST', `${path}/nfts`, { recipient, metadata, compressed: true }],
        'compressed: ',
      ] as const),
    )
    await world.change('PUT', `${path}/nfts/one`, { recipient, metadata })
    const { mintHash } = await readNft('bound', 'one')
    const { data } = await fetchMint(rpc(), mintHash as Address)
    expect(data.extensions).toMatchObject({
      value: expect.arrayContaining([expect.objectContaining({ __kind: 'NonTransferable' })]),
    })
    await world.refuse(400, ['PATCH', path, { transferable: true }], 'transferable: cannot change on Solana')
  })

  test('error: a collection that is sold out', async () => {
    const path = '/collections/single'
    await world.change('PUT', path, { chain: 'solana', metadata: { name: 'Single' }, supplyLimit: 1 })
    const recipient = `solana:${await createAddress()}`
    await world.change('POST', `${path}/nfts`, { recipient, metadata })
    await world.refuse(409, ['POST', `${path}/nfts`, { recipient, metadata }], 'sold out')
  })

  test.each([
    ['an EVM address', `solana:0x${'11'.repeat(20)}`, 'recipient: '],
    ['base58 that is not 32 bytes', 'solana:7xKXtg2CW87d97TXJSDpbD5jBkheTqA83T', 'recipient: '],
    ['another chain', `base-sepolia:0x${'11'.repeat(20)}`, 'recipient: the collection is on solana, not on'],
    ['an e-mail without its chain', 'email:ada@example.com', 'recipient: '],
  ])('error: the recipient is %s', async (_, recipient, message) => {
    await world.refuse(400, ['POST', '/collections/shop/nfts', { recipient, metadata }], message)
    await world.refuse(400, ['PUT', '/collections/shop/nfts/bad', { recipient, metadata }], message)
  })
})

describe('templates', () => {
  const template = { metadata: { name: 'Balcony', image, description: 'A seat', symbol: 'BALC' } }

  test('default: its symbol is on chain, its copies are members, its limit holds', async () => {
    await world.change('PUT', '/collections/seats', {
      chain: 'solana',
      metadata: { name: 'Seats', symbol: 'SEAT' },
    })
    const path = '/collections/seats/templates'
    const created = await world.ask(200, 'POST', path, { ...template, supply: { limit: 1 } })
    expect(created).toMatchObject({
      metadata: { ...template.metadata, image: expect.stringMatching(/^ipfs:/) },
    })
    const { templateId } = z.parse(z.looseObject({ templateId: z.string() }), created)
    const recipient = `solana:${await createAddress()}`
    await world.change('PUT', '/collections/seats/nfts/seat', { recipient, templateId })
    const { mintHash } = await readNft('seats', 'seat')
    expect(await readChain(mintHash)).toMatchObject({ metadata: { name: 'Balcony', symbol: 'BALC' } })
    await world.refuse(409, ['POST', '/collections/seats/nfts', { recipient, templateId }], 'sold out')
    expect(await world.ask(200, 'GET', `${path}/${templateId}`)).toMatchObject({
      supply: { limit: 1, minted: 1 },
    })
  })

  test('default: PUT, PATCH, DELETE and the list', async () => {
    await world.change('PUT', '/collections/rows', { chain: 'solana', metadata: { name: 'Rows' } })
    const templateId = 'a41a9f4e-5d0f-4b43-a1a4-52d4b4f3a001'
    const path = `/collections/rows/templates/${templateId}`
    await world.ask(200, 'PUT', path, template)
    await world.ask(200, 'PUT', path, template)
    const list = async () => z.parse(TemplateList, await world.ask(200, 'GET', '/collections/rows/templates'))
    expect(await list()).toHaveLength(1)
    expect(await world.ask(200, 'PATCH', path, { metadata: { symbol: 'ROW' } })).toMatchObject({
      metadata: { name: 'Balcony', symbol: 'ROW' },
    })
    await world.ask(200, 'DELETE', path)
    expect(await list()).toEqual([])
    await world.refuse(404, ['GET', path], 'not found')
  })

  test('default: copies of a semi-fungible token share one mint without decimals', async () => {
    const collection = { chain: 'solana', metadata: { name: 'Tickets' }, fungibility: 'semi-fungible' }
    await world.change('PUT', '/collections/tickets', collection)
    const path = '/collections/tickets/templates'
    const body = { ...template, onChain: { tokenId: '7' }, supply: { limit: 3 } }
    const created = await world.ask(200, 'POST', path, body)
    const { templateId } = z.parse(z.looseObject({ templateId: z.string() }), created)
    const [one, other] = [await createAddress(), await createAddress()]
    for (const owner of [one, one, other]) {
      await world.change('POST', '/collections/tickets/nfts', { recipient: `solana:${owner}`, templateId })
    }
    const [held, ...more] = z.parse(
      WalletTokenList,
      await world.ask(200, 'GET', `/wallets/solana:${one}/nfts`),
    )
    expect(more).toEqual([])
    const { data: mint } = await fetchMint(rpc(), held?.mintHash as Address)
    expect(mint).toMatchObject({ decimals: 0, supply: 3n })
    const recipient = `solana:${other}`
    await world.refuse(409, ['POST', '/collections/tickets/nfts', { recipient, templateId }], 'sold out')
    await world.refuse(
      400,
      ['GET', `/v1-alpha1/nfts/solana:${held?.mintHash}/credentials`],
      'nftLocator: a semi-fungible token has many holders',
    )
  })
})

describe('credentials and lists', () => {
  test('default: a credential names the holder by did:pkh:solana, and a list has pages', async () => {
    await world.change('PUT', '/collections/cards', { chain: 'solana', metadata: { name: 'Cards' } })
    const owner = await createAddress()
    for (const nftId of ['one', 'two', 'three']) {
      const body = { recipient: `solana:${owner}`, metadata: { ...metadata, name: nftId } }
      await world.change('PUT', `/collections/cards/nfts/${nftId}`, body)
    }
    const list = async (page: number) =>
      z.parse(
        WalletTokenList,
        await world.ask(200, 'GET', `/wallets/solana:${owner}/nfts?page=${page}&perPage=2`),
      )
    const all = [...(await list(1)), ...(await list(2))]
    expect(all.map((token) => token.metadata.name).sort()).toEqual(['one', 'three', 'two'])
    expect(await list(3)).toEqual([])
    const [{ mintHash = '', locator = '' } = {}] = all
    expect(all[0]).toEqual({
      chain: 'solana',
      mintHash,
      locator: `solana:${mintHash}`,
      metadata: expect.objectContaining({ attributes: metadata.attributes, image: expect.any(String) }),
    })
    const { value } = z.parse(
      CredentialAnswer,
      await world.ask(200, 'GET', `/v1-alpha1/nfts/${locator}/credentials`),
    )
    expect(value).toMatchObject({
      credentialSubject: { id: expect.stringMatching(new RegExp(`^did:pkh:solana:[^:]{32}:${owner}$`)) },
      nft: { chain: 'solana', mintHash },
    })
  })

  test.each([
    ['an EVM address', `solana:0x${'11'.repeat(20)}`],
    ['base58 that is not 32 bytes', 'solana:7xKXtg2CW87d97TXJSDpbD5jBkheTqA83T'],
    ['a chain that is not enabled', `base-sepolia:0x${'11'.repeat(20)}`],
  ])('error: the list of %s', async (_, identifier) => {
    const refused = { error: expect.stringContaining('identifier: ') }
    expect(await world.ask(400, 'GET', `/wallets/${identifier}/nfts`)).toEqual(refused)
  })

  test('error: a credential of a token that is unknown, or whose locator is of an EVM chain', async () => {
    await world.refuse(
      404,
      ['GET', `/v1-alpha1/nfts/solana:${await createAddress()}/credentials`],
      'not found',
    )
    const evm = `solana:0x${'11'.repeat(20)}:1`
    await world.refuse(400, ['GET', `/v1-alpha1/nfts/${evm}/credentials`], 'nftLocator: ')
  })
})

describe('orders', () => {
  beforeAll(async () => {
    await world.change('PUT', '/collections/sale', {
      chain: 'solana',
      metadata: { name: 'Sale', symbol: 'SALE', imageUrl: image },
      payments: { price: '0.5', currency: 'sol' },
    })
  })
  const Created = z.looseObject({ clientSecret: z.string(), order: Order })
  const create = async (body: object) => {
    const sale = { lineItems: { collectionLocator: 'kassa:sale' } }
    return z.parse(Created, await world.ask(201, 'POST', '/orders', { ...sale, ...body })).order
  }
  const get = async (orderId: string) => z.parse(Order, await world.ask(200, 'GET', `/orders/${orderId}`))

  test('default: quoted, edited, refreshed, paid by @solana/web3.js 1, delivered', async () => {
    const buyer = createWeb3Buyer()
    await world.solana.fund(buyer.address, 'sol', 2_000_000_000n)
    await world.solana.fund(buyer.address, 'usdc', 100_000_000n)
    const recipient = { walletAddress: await createAddress() }
    const order = await create({ recipient, payment: { method: 'solana', currency: 'sol' } })
    expect(order).toMatchObject({
      phase: 'payment',
      quote: { status: 'valid', totalPrice: { amount: '0.5', currency: 'sol' } },
      payment: { status: 'requires-crypto-payer-address', method: 'solana', currency: 'sol' },
      lineItems: [
        { chain: 'solana', delivery: { recipient: { locator: `solana:${recipient.walletAddress}` } } },
      ],
    })
    const path = `/orders/${order.orderId}`
    const payment = { method: 'solana', currency: 'usdc', payerAddress: buyer.address }
    const edited = z.parse(Order, await world.ask(200, 'PATCH', path, { payment }))
    expect(edited.payment).toMatchObject({
      status: 'awaiting-payment',
      preparation: {
        chain: 'solana',
        payerAddress: buyer.address,
        serializedTransaction: expect.any(String),
      },
    })
    const refreshed = z.parse(Order, await world.ask(200, 'POST', `${path}/refresh`))
    const { serializedTransaction = '' } = refreshed.payment.preparation ?? {}
    const signed = buyer.sign(serializedTransaction)
    const txId = await rpc()
      .sendTransaction(signed as never, { encoding: 'base64' })
      .send()
    await world.solana.awaitConfirmed(txId)
    await world.ask(200, 'POST', `${path}/payment`, { type: 'crypto-tx-id', txId })
    await world.look()
    await expect.poll(async () => (await get(order.orderId)).phase).toBe('completed')
    const done = await get(order.orderId)
    const [item] = done.lineItems
    const { mintHash = '' } = item?.delivery.tokens?.[0] ?? {}
    expect(done.payment).toMatchObject({
      status: 'completed',
      received: { amount: '75', currency: 'usdc', chain: 'solana', txId },
    })
    expect(item?.delivery).toMatchObject({
      status: 'completed',
      txId: signature,
      tokens: [{ locator: `solana:${mintHash}`, mintHash }],
    })
    expect(await ownerOf(mintHash)).toBe(recipient.walletAddress)
    expect(await world.awaitEvent('orders.delivery.completed', order.orderId)).toMatchObject({
      data: { lineItems: [{ delivery: { tokens: [{ mintHash }] } }] },
    })
    for (const type of ['quote.created', 'quote.updated', 'payment.succeeded', 'delivery.initiated']) {
      await world.awaitEvent(`orders.${type}`, order.orderId)
    }
    expect(await world.ask(200, 'GET', '/orders?limit=5')).toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ orderId: order.orderId })]),
    })
    await world.refuse(409, ['PATCH', path, { payment }], '')
  })

  test.each([
    ['recipient.walletAddress', { recipient: { walletAddress: `0x${'11'.repeat(20)}` } }],
    ['recipient.walletAddress', { recipient: { walletAddress: '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83T' } }],
    [
      'payment.payerAddress',
      { payment: { method: 'solana', currency: 'sol', payerAddress: `0x${'11'.repeat(20)}` } },
    ],
    [
      'payment.payerAddress',
      { payment: { method: 'solana', currency: 'sol', payerAddress: '7xKXtg2CW87d97TXJSDp' } },
    ],
    ['payment.currency', { payment: { method: 'solana', currency: 'eth' } }],
    ['payment.method', { payment: { method: 'base-sepolia', currency: 'eth' } }],
  ])('error: %s', async (field, more) => {
    const recipient = { walletAddress: await createAddress() }
    const payment = { method: 'solana', currency: 'sol' }
    const body = { lineItems: { collectionLocator: 'kassa:sale' }, recipient, payment, ...more }
    await world.refuse(400, ['POST', '/orders', body], `${field}: `)
  })

  test('behavior: an underpayment is refunded when the quote ends, and its event says so', async () => {
    const payer = await world.solana.createPayer()
    const order = await create({
      recipient: { walletAddress: payer.address },
      payment: { method: 'solana', currency: 'usdc', payerAddress: payer.address },
    })
    const { serializedTransaction = '' } = order.payment.preparation ?? {}
    const txId = await payer.pay(serializedTransaction, withUnits(1_000_000n))
    await world.look()
    const part = (await get(order.orderId)).payment
    expect(part).toMatchObject({ status: 'awaiting-payment', failureReason: { code: 'underpaid' } })
    const { deps } = world.service
    const endMs = Date.parse(order.quote.expiresAt ?? '')
    // As if payments had been looked for up to the end.
    const ends = { type: 'time-passed', searchedUntilMs: endMs + 1 } as const
    await deps.db.transaction((tx) => updateOrder({ ...deps, now: () => endMs }, tx, order.orderId, ends))
    const event = await world.awaitEvent('orders.payment.failed', order.orderId)
    expect(event.data).toMatchObject({
      payment: {
        failureReason: { code: 'underpaid' },
        received: { amount: '1', currency: 'usdc', chain: 'solana', txId },
      },
    })
    await expect
      .poll(async () => (await get(order.orderId)).payment.refunded)
      .toMatchObject({ amount: '1', currency: 'usdc', chain: 'solana', txId: signature })
  })

  test('behavior: a reported transaction that is no signature, or unknown to the node, changes nothing', async () => {
    const buyer = createWeb3Buyer()
    await world.solana.fund(buyer.address, 'sol', 2_000_000_000n)
    const { orderId } = await create({
      recipient: { walletAddress: buyer.address },
      payment: { method: 'solana', currency: 'sol', payerAddress: buyer.address },
    })
    const txId = '5'.repeat(88)
    const answer = await world.ask(200, 'POST', `/orders/${orderId}/payment`, { type: 'crypto-tx-id', txId })
    expect(answer).toMatchObject({ phase: 'payment', payment: { status: 'awaiting-payment' } })
  })
})
