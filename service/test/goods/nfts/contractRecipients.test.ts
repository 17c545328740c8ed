import { concatHex, encodeErrorResult, type Hex, numberToHex, parseAbi, size, slice } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { toCollectionRef } from '#goods/collections/viewCollection.js'
import { editOrder } from '#sale/orders/requoteOrder.js'
import { createNftWorld, type NftWorld } from '../../helpers/createNftWorld.js'
import { createTestChain } from '../../helpers/createTestChain.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'
import { startHttpServer } from '../../helpers/startHttpServer.js'
import { startRelay } from '../../helpers/startRelay.js'

const chain = openBeforeAll(createTestChain)
let skippedMs = 0
const now = () => Date.now() + skippedMs
let world: NftWorld
let payer: Awaited<ReturnType<(typeof chain)['createPayer']>>
let id: string
let isNodeAway = false
const hook = /150b7a02|f23a6e61/
const relay = openBeforeAll(async () =>
  startRelay(
    await chain.node.rpcUrl(),
    async () => {},
    (body) => (isNodeAway && hook.test(body) ? 503 : undefined),
  ),
)

beforeAll(async () => {
  const port = chain.open({ rpcUrl: async () => relay.url })
  world = await createNftWorld({ db: chain.db, chains: [port], now })
  payer = await chain.createPayer()
})
beforeEach(() => {
  id = crypto.randomUUID()
  isNodeAway = false
})

/** Returns the first four bytes of what it is asked, as contracts that hold tokens do. */
const accepting: Hex = '0x5f3560e01c60e01b5f5260205ff3'
const refusing: Hex = '0x5f5ffd'

const put = async (bytecode: Hex): Promise<Hex> => {
  const address = privateKeyToAddress(generatePrivateKey())
  await chain.client.setCode({ address, bytecode })
  return address
}
/** Accepts only what the collection of this test asks of it, about a token that the operator mints. */
const onlyByCollection = (contract: Hex): Hex => {
  const isAsked = concatHex(['0x3373', contract, '0x1460043573', chain.operator, '0x1416'])
  return concatHex([isAsked, '0x603757', refusing, '0x5b', accepting])
}
const fungibilityOf = new Map<string, 'non-fungible' | 'semi-fungible'>()
const contractOf = (): Hex => {
  const { projectId } = world
  const kind = { fungibility: fungibilityOf.get(id) ?? 'non-fungible', isSubscription: false } as const
  return chain.chain.collectionAddress(
    toCollectionRef({ projectId, id, isTransferable: true, ...kind }),
  ) as Hex
}

const createCollection = async (fungibility: 'non-fungible' | 'semi-fungible' = 'non-fungible') => {
  fungibilityOf.set(id, fungibility)
  await world.createCollection({ id, fungibility })
  if (fungibility === 'non-fungible') return {}
  return { templateId: await world.createTemplate({ collectionId: id, tokenId: 1n }) }
}
const order = async (recipient: string, { templateId }: { templateId?: string } = {}) => {
  const { order: created } = await world.create({
    recipient: { walletAddress: recipient },
    payment: { method: 'base-sepolia', currency: 'eth', payerAddress: payer.address },
    lineItems: { collectionLocator: `kassa:${id}${templateId ? `:${templateId}` : ''}` },
  })
  return created
}
const mint = (recipient: string, { templateId }: { templateId?: string } = {}) =>
  world.mint(id, {
    recipient: `base-sepolia:${recipient}`,
    ...(templateId && { templateId, metadata: undefined }),
  })
const refusal = (recipient: string) => ({
  quote: {
    status: 'item-unavailable',
    unavailabilityReason: {
      code: 'recipient-refuses',
      message: expect.stringMatching(
        new RegExp(`^recipient\\.walletAddress: the contract ${recipient}`, 'i'),
      ),
    },
  },
})

describe.each(['non-fungible', 'semi-fungible'] as const)('of a %s collection', (fungibility) => {
  test.each<[string, () => Promise<Hex> | Hex]>([
    ['an account', () => privateKeyToAddress(generatePrivateKey())],
    ['a contract that holds tokens', () => put(accepting)],
    ['a contract that asks who asks', () => put(onlyByCollection(contractOf()))],
    [
      'an account that delegates to what refuses',
      async () => put(concatHex(['0xef0100', await put(refusing)])),
    ],
  ])('default: %s buys and gets tokens', async (_, create) => {
    const terms = await createCollection(fungibility)
    const recipient = await create()
    expect((await order(recipient, terms)).payment.status).toBe('awaiting-payment')
    const { id: nftId } = await mint(recipient, terms)
    await world.drain()
    expect(await world.read(id, nftId)).toMatchObject({ onChain: { status: 'success' } })
  })

  test.each<[string, () => Promise<Hex>]>([
    ['reverts', () => put(refusing)],
    ['returns nothing', () => put('0x00')],
    ['returns something else', () => put('0x60015f5260205ff3')],
    ['halts', () => put('0xfe')],
    ['never ends', () => put('0x5b5f56')],
  ])('error: input-invalid, a contract that %s', async (_, create) => {
    const terms = await createCollection(fungibility)
    const recipient = await create()
    const refused = await order(recipient, terms)
    expect(refused).toMatchObject({
      quote: { status: 'all-line-items-unavailable' },
      lineItems: [refusal(recipient)],
    })
    await expect(mint(recipient, terms)).rejects.toMatchObject({
      code: 'input-invalid',
      message: expect.stringMatching(/^recipient: the contract 0x/),
    })
  })

  test('behavior: an edit asks its recipient', async () => {
    const terms = await createCollection(fungibility)
    const [good, bad] = [privateKeyToAddress(generatePrivateKey()), await put(refusing)]
    const { orderId } = await order(good, terms)
    const edit = (walletAddress: string) =>
      editOrder(world.deps, world.secretCall(orderId), { orderId, body: { recipient: { walletAddress } } })
    expect(await edit(bad)).toMatchObject({ lineItems: [refusal(bad)] })
    expect(await edit(good)).toMatchObject({ payment: { status: 'awaiting-payment' } })
  })

  test('behavior: a recipient that refuses once it is paid for gets its money back, and no token', async () => {
    const terms = await createCollection(fungibility)
    const recipient = privateKeyToAddress(generatePrivateKey())
    const { orderId, payment } = await order(recipient, terms)
    await payer.pay(payment.preparation?.serializedTransaction ?? '')
    const { id: nftId } = await mint(recipient, terms)
    await chain.client.setCode({ address: recipient, bytecode: refusing })
    await world.look()
    // The longest wait between two attempts is a quarter of an hour.
    for (let attempt = 0; attempt < 5; attempt++) {
      await world.drain()
      skippedMs += 16 * 60_000
    }
    const ended = await world.get(orderId)
    expect(ended).toMatchObject({ phase: 'completed', lineItems: [{ delivery: { status: 'failed' } }] })
    expect(ended.payment.refunded).toMatchObject({ amount: '0.01' })
    expect(await world.read(id, nftId)).toMatchObject({ onChain: { status: 'failed' } })
  })

  test('error: chain-unavailable, a node that is away when a contract is asked', async () => {
    const terms = await createCollection(fungibility)
    const recipient = await put(accepting)
    const away = { code: 'chain-unavailable' }
    const { id: nftId } = await mint(recipient, terms)
    isNodeAway = true
    await expect(order(recipient, terms)).rejects.toMatchObject(away)
    await expect(mint(recipient, terms)).rejects.toMatchObject(away)
    await expect(world.drain()).rejects.toMatchObject(away)
    isNodeAway = false
    await world.drain()
    expect(await world.read(id, nftId)).toMatchObject({ onChain: { status: 'success' } })
  })
})

test('behavior: a contract cannot make the service open a URL', async () => {
  await createCollection()
  const server = await startHttpServer((_, response) => response.end('{"data":"0x"}'))
  const lookup = encodeErrorResult({
    abi: parseAbi([
      'error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callback, bytes extraData)',
    ]),
    args: [chain.operator, [`${server.url}/{sender}/{data}`], '0x', slice('0x150b7a02', 0, 4), '0x'],
  })
  const revertWith = concatHex(['0x61', numberToHex(size(lookup), { size: 2 }), '0x80600a5f395ffd', lookup])
  await expect(mint(await put(revertWith))).rejects.toMatchObject({ code: 'input-invalid' })
  expect(server.asked).toEqual([])
  await server.close()
})
