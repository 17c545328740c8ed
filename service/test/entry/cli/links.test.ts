import { PaymentLink } from 'kassa/schema'
import { beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { insertCollection } from '#goods/collections/insertCollection.js'
import { findProject } from '#identity/projects/projects.js'
import { createFakeChain } from '../../helpers/createFakeChain.js'
import { createTestService } from '../../helpers/createTestService.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'
import { runIn } from '../../helpers/runCommand.js'

const chain = createFakeChain({ now: Date.now })
const service = openBeforeAll(() => createTestService({ chains: [chain.port] }))

const run = (...args: string[]) => runIn({ env: {}, service: service.deps }, ['links', ...args])
const ofShop = ['--project', 'shop']

beforeAll(async () => {
  await runIn({ env: {}, service: service.deps }, ['projects', 'create', 'shop'])
  const projectId = (await findProject(service.deps.db, 'shop')) ?? ''
  const tea = {
    projectId,
    id: 'tea',
    chain: 'base-sepolia' as const,
    name: 'Tea',
    symbol: 'TEA',
    description: 'Tea',
  }
  const sold = { ...tea, imageUrl: 'ipfs://tea', payments: { price: '0.01', currency: 'eth' } }
  await service.deps.db.transaction((tx) => insertCollection(tx, sold, service.deps.now()))
})

test('default: a link is created, listed, deactivated and activated', async () => {
  const options = ['--title', 'Tea time', '--max-quantity', '3', '--max-uses', '2', '--currency', 'eth']
  const end = ['--expires', '2099-01-01T00:00:00Z', '--method', 'base-sepolia']
  const made = await run('create', ...ofShop, '--collection', 'tea', ...options, ...end, '--json')
  const link = z.parse(PaymentLink, JSON.parse(made.out))
  expect(link).toMatchObject({
    title: 'Tea time',
    lineItems: [{ collectionLocator: 'kassa:tea', quantity: 1 }],
    maxQuantity: 3,
    maxUses: 2,
    payment: { method: 'base-sepolia', currency: 'eth' },
  })
  const list = async () => (await run('list', ...ofShop)).out
  expect(await list()).toMatch(new RegExp(`${link.paymentLinkId} +active +0 of 2 +2099-01-01\\S+ +Tea time`))
  expect((await run('deactivate', ...ofShop, link.paymentLinkId)).status).toBe(0)
  expect(await list()).toContain('deactivated')
  expect((await run('activate', ...ofShop, link.paymentLinkId)).status).toBe(0)
  const [listed] = JSON.parse((await run('list', ...ofShop, '--json')).out)
  expect(listed.status).toBe('active')
})

test('default: the address alone, without --json', async () => {
  expect((await run('create', ...ofShop, '--collection', 'tea')).out).toMatch(
    /^http\S+\/pay\/pl_[\w-]{24}\n$/,
  )
})

test.each([
  [['create', '--collection', 'tea'], 2, '--project: required'],
  [['create', '--project', 'shpo', '--collection', 'tea'], 2, 'Did you mean shop?'],
  [['create', ...ofShop], 2, 'expected either lineItems or orderId'],
  [['create', ...ofShop, '--collection', 'tea', '--order', 'x'], 2, 'expected either lineItems or orderId'],
  [['create', ...ofShop, '--collection', 'coffee'], 1, 'Collection coffee not found'],
  [['create', ...ofShop, '--order', 'nothing'], 1, 'Order not found'],
  [['create', ...ofShop, '--collection', 'tea', '--max-uses', '0'], 2, '--max-uses: expected a whole number'],
  [
    ['create', ...ofShop, '--collection', 'tea', '--quantity', '5', '--max-quantity', '4'],
    2,
    '--max-quantity: ',
  ],
  [
    ['create', ...ofShop, '--collection', 'tea', '--expires', 'soon'],
    2,
    '--expires: expected an ISO 8601 time',
  ],
  [['create', ...ofShop, '--collection', 'tea', '--success-url', 'https://a.example/'], 2, '--success-url: '],
  [['create', ...ofShop, '--collection', 'tea', '--currency', 'eth'], 2, '--method: '],
  [['deactivate', ...ofShop], 2, 'the id of one payment link'],
  [['deactivate', ...ofShop, 'pl_nothing'], 1, 'Payment link not found'],
])('error: %j', async (args, status, message) => {
  const result = await run(...args)
  expect(result.status).toBe(status)
  expect(result.err).toContain(message)
})
