import { randomBytes, randomUUID } from 'node:crypto'
import { getAddress, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OpenDatabase } from '#base/db/openedDatabase.js'
import { scopes } from '#base/scopes.js'
import { createKey } from '#identity/keys/apiKeys.js'
import { createProject } from '#identity/projects/projects.js'
import { routes } from '#interface/routes/index.js'
import type { Route } from '#interface/routes/route.js'
import { createFakeAuthorizations } from './helpers/createFakeAuthorizations.js'
import { createFakeChain } from './helpers/createFakeChain.js'
import { createShop, orderBody, type Shop, testPayer } from './helpers/createShop.js'
import { createTestDatabase } from './helpers/createTestDatabase.js'
import { type Belongings, fillProject } from './helpers/fillProject.js'
import { readAnswer } from './helpers/readAnswer.js'
import { uploadForm } from './helpers/uploadForm.js'

/** The request to an operation: the parameters of its path, and the rest. */
type Attempt = {
  ids?: Record<string, string>
  body?: unknown
  query?: string
  secret?: string
  headers?: Record<string, string>
}
/** The requests with which a caller would try to reach another project's data, and the caller's own data. */
type Attempts = (of: Belongings, own: Belongings) => Attempt[]

const recipient = `base-sepolia:${testPayer}`
const metadata = { name: 'Mine', image: 'ipfs://bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy' }
const terms = {
  chain: 'base-sepolia',
  metadata: { name: 'Mine', description: 'Mine', imageUrl: metadata.image },
}

const walletLocators = ({ name, wallet, custodial, account }: Belongings): string[] => [
  ...[wallet, custodial, account].flatMap((address) => [address, address.toLowerCase()]),
  `userId:${name}:evm-smart-wallet`,
  `email:${name}@example.com:evm-smart-wallet`,
  `email:${name}@example.com:evm-mpc-wallet`,
  `x:${name}:evm-mpc-wallet`,
  `twitter:@${name.toUpperCase()}:evm-mpc-wallet`,
]
const ofWallets =
  (attempt: Omit<Attempt, 'ids'> = {}): Attempts =>
  (of) =>
    walletLocators(of).map((walletLocator) => ({ ids: { walletLocator }, ...attempt }))

/** Transactions by their wallet, and by the caller's own. */
const transactionsOf = (of: Belongings, own: Belongings): Record<string, string>[] =>
  [of.wallet, `userId:${of.name}:evm-smart-wallet`, own.wallet, own.account].map((walletLocator) => ({
    walletLocator,
    transactionId: of.transactionId,
  }))

const ofCollection =
  (attempt: Omit<Attempt, 'ids'> = {}): Attempts =>
  ({ collectionId }) => [{ ids: { collectionId }, ...attempt }]

const ofNft =
  (attempt: Omit<Attempt, 'ids'> = {}): Attempts =>
  (of, own) =>
    [of, own].map(({ collectionId }) => ({ ids: { collectionId, nftId: of.nftId }, ...attempt }))

const ofTemplate =
  (attempt: Omit<Attempt, 'ids'> = {}): Attempts =>
  (of, own) =>
    [of, own].map(({ collectionId }) => ({ ids: { collectionId, templateId: of.templateId }, ...attempt }))

/**
 * With the caller's own key, with the client secret of the caller's own order, and without any permission.
 */
const ofOrder =
  (body?: unknown): Attempts =>
  (of, own) =>
    [{}, { secret: own.clientSecret }, { secret: `${own.clientSecret}x` }].map((credential) => ({
      ids: { orderId: of.orderId },
      body,
      ...credential,
    }))

const signedBody = {
  kind: 'erc3009',
  payerAddress: testPayer,
  domain: {},
  message: { nonce: '1' },
  signature: '0x01',
}
const call = { to: testPayer, value: '0', data: '0x' }
const smart = { params: { calls: [call], chain: 'base-sepolia' } }
const single = { params: { call: { to: testPayer, data: '0x' }, chain: 'base-sepolia' } }

let approval: { signer: string; signature: string }

/** The attempts to make on operations that need more than the ids in their path. */
const attempts: Readonly<Record<string, Attempts>> = {
  createCollection: () => [{ body: terms }],
  putCollection: ofCollection({ body: terms }),
  // A file belongs to no project: its address is that of its bytes.
  uploadFile: () => [uploadForm],
  listCollections: () => [{}, { query: 'perPage=100' }],
  updateCollection: ofCollection({ body: { metadata: { name: 'Taken' } } }),
  createTemplate: ofCollection({ body: { metadata } }),
  putTemplate: ({ collectionId, templateId }) =>
    [templateId, randomUUID()].map((id) => ({ ids: { collectionId, templateId: id }, body: { metadata } })),
  updateTemplate: ofTemplate({ body: { metadata: { name: 'Taken' }, supply: { limit: 1 } } }),
  mintNft: (of, own) => [
    { ids: { collectionId: of.collectionId }, body: { recipient, metadata } },
    { ids: { collectionId: of.collectionId }, body: { recipient, templateId: of.templateId } },
    { ids: { collectionId: own.collectionId }, body: { recipient, templateId: of.templateId } },
  ],
  putNft: ({ collectionId, nftId }) =>
    [nftId, 'another'].map((id) => ({ ids: { collectionId, nftId: id }, body: { recipient, metadata } })),
  updateNft: ofNft({ body: { metadata } }),
  getAction: ({ actionId, orderId, transactionId }) =>
    [actionId, orderId, transactionId].map((id) => ({ ids: { actionId: id } })),
  createOrder: (of, own) =>
    [of.collectionId, `${of.collectionId}:${of.templateId}`, `${own.collectionId}:${of.templateId}`].map(
      (locator) => ({ body: { ...orderBody, lineItems: { collectionLocator: `kassa:${locator}` } } }),
    ),
  createPaymentLink: ({ collectionId, templateId, orderId }) => [
    ...[collectionId, `${collectionId}:${templateId}`].map((locator) => ({
      body: { lineItems: { collectionLocator: `kassa:${locator}` } },
    })),
    { body: { orderId } },
  ],
  listPaymentLinks: () => [{}, { query: 'perPage=100' }],
  updatePaymentLink: ({ paymentLinkId }) =>
    [{ title: 'Taken' }, { status: 'deactivated' }].map((body) => ({ ids: { paymentLinkId }, body })),
  listOrders: () => [{}, { query: 'limit=100' }],
  exportOrders: () => [{}, { query: 'sort=oldest' }],
  listAuditEntries: () => [{}],
  // They are those of the deployment.
  listPaymentMethods: () => [{}],
  getSummary: () => [{ query: 'since=2020-01-01T00:00:00Z' }],
  resendMail: (of, own) =>
    [of, own].map(({ orderId }) => ({ ids: { orderId, mailId: of.mailId }, body: {} })),
  resendOrderWebhook: (of, own) =>
    [of, own].map(({ orderId }) => ({ ids: { orderId, eventId: of.noticeId }, body: {} })),
  editOrder: ofOrder({ recipient: { walletAddress: testPayer } }),
  refreshOrder: ofOrder({}),
  createAuthorization: ({ signableId }, own) => ofOrder(signedBody)({ ...own, orderId: signableId }, own),
  reportPayment: ofOrder({ type: 'crypto-tx-id', txId: `0x${'3'.repeat(64)}` }),
  captureOrder: ({ capturableId }) => [{ ids: { orderId: capturableId } }],
  voidOrder: ({ voidableId }) => [{ ids: { orderId: voidableId } }],
  createRefund: ({ soldOrderId, orderId }) =>
    [soldOrderId, orderId].flatMap((id) =>
      [{}, { amount: '0.001' }].map((body) => ({ ids: { orderId: id }, body })),
    ),
  createShipment: ({ shippableId, orderId }) =>
    [shippableId, orderId].map((id) => ({ ids: { orderId: id }, body: { carrier: 'DHL' } })),
  cancelShipment: ({ shippedOrderId, shipmentId }, own) =>
    [shippedOrderId, own.shippedOrderId].map((orderId) => ({ ids: { orderId, shipmentId }, body: {} })),
  listRefunds: ({ soldOrderId, orderId }) => [soldOrderId, orderId].map((id) => ({ ids: { orderId: id } })),
  getRefund: ({ soldOrderId, refundId }, own) =>
    [soldOrderId, own.soldOrderId].map((orderId) => ({ ids: { orderId, refundId } })),
  createWallet: ({ name }) =>
    [`userId:${name}`, `email:${name}@example.com`, `x:${name}`].map((linkedUser) => ({
      body: { type: 'evm-smart-wallet', linkedUser },
    })),
  createTransaction: (of, own) => [
    ...ofWallets({ body: smart })(of, own),
    ...ofWallets({ body: single })(of, own),
  ],
  approveTransaction: (of, own) =>
    transactionsOf(of, own).map((ids) => ({ ids, body: { approvals: [approval] } })),
  fundWallet: ofWallets({ body: { amount: 1, token: 'usdc', chain: 'base-sepolia' } }),
  // An address's balance is public. Only the owner of an address belongs to a project.
  listWalletTokens: ({ name }) =>
    [`email:${name}@example.com`, `userId:${name}`, `x:${name}`].map((user) => ({
      ids: { identifier: `${user}:base-sepolia` },
    })),
  listApiKeys: () => [{}, { query: 'perPage=100' }],
  createApiKey: () => [{ body: { name: 'Mine', scopes: ['orders.read'] } }],
  listWebhookEndpoints: () => [{}, { query: 'perPage=100' }],
  createWebhookEndpoint: () => [{ body: { url: 'https://a.example/', eventTypes: ['nfts.create.failed'] } }],
  updateWebhookEndpoint: ({ endpointId }) =>
    [{ status: 'enabled' }, { url: 'https://taken.example/' }].map((body) => ({ ids: { endpointId }, body })),
  getCredential: ({ contract, tokenId }, own) =>
    [
      [contract, tokenId],
      [contract.toUpperCase().replace('0X', '0x'), tokenId],
      [own.contract, tokenId],
    ].map((parts) => ({ ids: { nftLocator: ['base-sepolia', ...parts].join(':') } })),
}

/** The attempts to make on an operation by the ids in its path alone, by the last of them. */
const attemptsById: Readonly<Record<string, Attempts>> = {
  keyId: ({ keyId }) => [{ ids: { keyId } }],
  endpointId: ({ endpointId }) => [{ ids: { endpointId } }],
  paymentLinkId: ({ paymentLinkId }) => [{ ids: { paymentLinkId } }],
  eventId: (of, own) => [of, own].map(({ endpointId }) => ({ ids: { endpointId, eventId: of.eventId } })),
  collectionId: ofCollection(),
  nftId: ofNft(),
  templateId: ofTemplate(),
  orderId: ofOrder(),
  walletLocator: ofWallets(),
  transactionId: (of, own) => transactionsOf(of, own).map((ids) => ({ ids })),
}

const attemptsOn = ({ operationId, path }: Route): Attempts => {
  const id = [...path.matchAll(/\{(\w+)\}/g)].at(-1)?.[1] ?? ''
  const found = attempts[operationId] ?? attemptsById[id]
  if (!found) throw new Error(`no attempts on ${operationId}: add a row to attempts`)
  return found
}

/** Operations that create something of the caller's own, independently of others' data. */
const makers = ['createCollection', 'putCollection', 'createWallet', 'createApiKey', 'createWebhookEndpoint']

/** Spellings of a part of a path that a careless parser takes for another. */
const spellings: Readonly<Record<string, (id: string) => string>> = {
  plain: encodeURIComponent,
  'in capitals': (id) => encodeURIComponent(id.toUpperCase()),
  'in small letters': (id) => encodeURIComponent(id.toLowerCase()),
  encoded: (id) => [...Buffer.from(id)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  'with a space': (id) => `${encodeURIComponent(id)}%20`,
  'with a zero byte': (id) => `${encodeURIComponent(id)}%00`,
  'with a way up': (id) => `x%2F..%2F${encodeURIComponent(id)}`,
  'with a quote': (id) => `${encodeURIComponent(id)}'%20or%20'1'='1`,
}

let database: OpenDatabase
let shop: Shop
let victim: Belongings
let thief: Belongings
let thiefKey: string
let thiefClientKey: string
let imitatorKey: string
let victimProjectId: string
/** Unknown objects of the same kinds. */
const nobody: Belongings = {
  name: 'nobody',
  collectionId: 'nobody-prints',
  tokenId: '700100000001',
  templateId: randomUUID(),
  nftId: randomUUID(),
  actionId: randomUUID(),
  orderId: randomUUID(),
  clientSecret: `cs_${randomBytes(32).toString('base64url')}`,
  transactionId: randomUUID(),
  noticeId: `msg_${randomBytes(18).toString('base64url')}`,
  mailId: randomUUID(),
  soldOrderId: randomUUID(),
  refundId: `refund:${randomUUID()}:0`,
  capturableId: randomUUID(),
  voidableId: randomUUID(),
  signableId: randomUUID(),
  shippableId: randomUUID(),
  shippedOrderId: randomUUID(),
  shipmentId: randomUUID(),
  paymentLinkId: `pl_${randomBytes(18).toString('base64url')}`,
  keyId: randomUUID(),
  endpointId: randomUUID(),
  eventId: 'msg_nobody',
  wallet: getAddress(toHex(randomBytes(20))),
  custodial: getAddress(toHex(randomBytes(20))),
  account: getAddress(toHex(randomBytes(20))),
  contract: toHex(randomBytes(20)),
}

beforeAll(async () => {
  database = await createTestDatabase()
  const chain = createFakeChain({ now: Date.now })
  const { port } = createFakeAuthorizations(chain, database.db)
  shop = await createShop({ chains: [port], database })
  victimProjectId = shop.projectId
  const filled = await fillProject({
    shop,
    chain,
    key: shop.serverKey,
    name: 'victim',
    tokenId: '700200000002',
  })
  victim = filled.belongings
  approval = await filled.approve()
  const { environment } = shop.deps.config
  const projectId = await createProject(shop.deps.db, 'thief')
  const shared = { environment, projectId }
  thiefKey = await createKey(shop.deps, { ...shared, kind: 'server', scopes, origins: [] })
  const imitatorId = await createProject(shop.deps.db, 'imitator')
  imitatorKey = await createKey(shop.deps, {
    environment,
    projectId: imitatorId,
    kind: 'server',
    scopes,
    origins: [],
  })
  thiefClientKey = await createKey(shop.deps, {
    ...shared,
    kind: 'client',
    scopes: ['orders.create'],
    origins: ['https://thief.example'],
  })
  thief = (await fillProject({ shop, chain, key: thiefKey, name: 'thief', tokenId: '700300000003' }))
    .belongings
})
afterAll(async () => {
  await shop.close()
  await database.close()
})

const send = async (
  { path, method }: Route,
  { ids = {}, body, query, secret, headers }: Attempt,
  spell: (id: string) => string,
  key: string,
) => {
  const filled = Object.entries(ids).reduce(
    (text, [name, id]) => text.replace(`{${name}}`, () => spell(id)),
    path,
  )
  const response = await shop.send(method.toUpperCase(), `/api${filled}${query ? `?${query}` : ''}`, {
    key: secret === undefined ? key : null,
    headers: { ...headers, ...(secret !== undefined && { authorization: secret }) },
    ...(body !== undefined && { body }),
  })
  return { status: response.status, text: await readAnswer(response) }
}

const wordsOf = ({ clientSecret: _, ...rest }: Belongings): string[] =>
  Object.values(rest).sort((a, b) => b.length - a.length)

/** An answer without the requested names, which it may repeat. */
const withoutNames = (text: string, of: Belongings): string =>
  wordsOf(of).reduce(
    (left, word) => left.replaceAll(new RegExp(word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'gi'), '…'),
    text,
  )

/** All data of a project, from every table. */
const readProject = async (projectId: string): Promise<string> => {
  const { executeSql } = shop.database
  const tables = (await executeSql(
    `select table_name as name from information_schema.columns where column_name = 'project_id'
     and table_schema = 'public' order by 1`,
    [],
  )) as { rows: { name: string }[] }
  expect(tables.rows.length).toBeGreaterThan(8)
  const parts: string[] = []
  for (const { name } of tables.rows) {
    const { rows } = await executeSql(
      `select t::text as row from "${name}" t where project_id = $1 order by 1`,
      [projectId],
    )
    parts.push(name, ...(rows as { row: string }[]).map(({ row }) => row))
  }
  return parts.join('\n')
}

test('behavior: the attempts name operations that there are', () => {
  const names: string[] = routes.map(({ operationId }) => operationId)
  expect(Object.keys(attempts).filter((name) => !names.includes(name))).toEqual([])
})

const tried = routes.flatMap((route) =>
  Object.keys(spellings).map((spelling) => [route.operationId, spelling, route] as const),
)

describe.each(tried)('%s, asked %s', (operationId, spelling, route) => {
  const spell = spellings[spelling] ?? encodeURIComponent

  test("error: another project's data is answered like unknown data, and stays unchanged", async () => {
    const before = await readProject(victimProjectId)
    const atVictim = attemptsOn(route)(victim, thief)
    const atNobody = attemptsOn(route)(nobody, thief)
    expect(atVictim.length).toBeGreaterThan(0)
    const isMaker = makers.includes(operationId)
    // The created object would be there for the next attempt, so it is created in another world.
    for (const key of isMaker ? [imitatorKey] : [thiefKey, thiefClientKey]) {
      for (const [at, attempt] of atVictim.entries()) {
        const answer = await send(route, attempt, spell, key)
        const expected = await send(route, atNobody[at] ?? {}, spell, key)
        const told = `${JSON.stringify(attempt)}: ${answer.text.slice(0, 300)}`
        expect(answer.status, told).toBe(expected.status)
        expect(answer.status, told).not.toBe(500)
        const asked = JSON.stringify(attempt).toLowerCase()
        const others = wordsOf(victim).filter((word) => !asked.includes(word.toLowerCase()))
        expect(
          others.filter((word) => answer.text.includes(word)),
          told,
        ).toEqual([])
        if (isMaker) continue
        expect(withoutNames(answer.text, victim), told).toBe(withoutNames(expected.text, nobody))
      }
    }
    expect(await readProject(victimProjectId)).toBe(before)
  })
})

const makes = (status: number) => status === 200 || status === 201

test('behavior: a caller with permission can do all of it', async () => {
  const fails: string[] = []
  for (const route of routes.filter(({ operationId }) => !makers.includes(operationId))) {
    const [first = {}, ...others] = attemptsOn(route)(victim, victim)
    const answers = await Promise.all(
      [first, ...others].map((one) => send(route, one, encodeURIComponent, shop.serverKey)),
    )
    if (!answers.some(({ status }) => makes(status))) fails.push(`${route.operationId}: ${answers[0]?.text}`)
  }
  expect(fails).toEqual([])
})

test('behavior: an idempotency key of another project opens nothing of its answers', async () => {
  const headers = { 'x-idempotency-key': 'the same' }
  const body = { type: 'evm-mpc-wallet', linkedUser: 'userId:same' }
  const create = async (key: string) => {
    const response = await shop.send('POST', '/api/2022-06-09/wallets', { key, headers, body })
    expect(response.status).toBe(201)
    return response.text()
  }
  const [theirs, again, mine] = [
    await create(shop.serverKey),
    await create(shop.serverKey),
    await create(thiefKey),
  ]
  expect(again).toBe(theirs)
  expect(mine).not.toBe(theirs)
})
