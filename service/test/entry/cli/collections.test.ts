import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createHandlers } from '#entry/createHandlers.js'
import { createFakeChain } from '../../helpers/createFakeChain.js'
import { createTestService } from '../../helpers/createTestService.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'
import { jpeg, png } from '../../helpers/pictures.js'
import { runCommand, runIn } from '../../helpers/runCommand.js'

const chain = createFakeChain({ now: Date.now })
const service = openBeforeAll(() => createTestService({ chains: [chain.port], handlers: createHandlers }))

const dataDir = mkdtempSync(join(tmpdir(), 'kassa-collections-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const run = (...args: string[]) => runIn({ env: {}, service: service.deps }, args)
const runJson = async (...args: string[]) => JSON.parse((await run(...args, '--json')).out)

const ofShop = ['--project', 'shop']
const tea = ['--chain', 'base-sepolia', '--name', 'Tea', '--symbol', 'TEA']
const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const picture = 'ipfs://bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy'

const create = async (id: string, ...more: string[]) => {
  await run('projects', 'create', 'shop')
  return run('collections', 'create', id, ...ofShop, ...tea, ...more)
}

/**
 * Runs a command while the chain does not answer. A fast chain could otherwise finish what the command starts before
 * the command looks whether it is pending.
 */
const whileChainIsAway = async <T>(command: () => Promise<T>): Promise<T> => {
  chain.state.isAway = true
  try {
    return await command()
  } finally {
    chain.state.isAway = false
  }
}

test('default: a collection for sale, and a token of it for an e-mail address', async () => {
  const sale = ['--price', '0.012', '--currency', 'eth', '--supply-limit', '100', '--max-per-wallet', '2']
  const created = await whileChainIsAway(() =>
    create('tea', ...sale, '--description', 'Leaves', '--image', picture),
  )
  expect(created).toEqual({
    status: 0,
    out: 'tea\n',
    err: 'The service deploys its contract on base-sepolia.\n',
  })
  await expect
    .poll(async () => (await run('collections', 'get', 'tea', ...ofShop)).out)
    .toMatch(/creation +succ/)
  expect(await runJson('collections', 'get', 'tea', ...ofShop)).toMatchObject({
    id: 'tea',
    metadata: { name: 'Tea', symbol: 'TEA', description: 'Leaves', imageUrl: picture },
    payments: { price: '0.012', currency: 'eth' },
    supplyLimit: 100,
    sale: { maxPerBuyer: { wallet: 2 } },
  })
  expect((await run('collections', 'list', ...ofShop)).out).toMatch(
    /^id +chain.+\ntea +base-sepolia +Tea +0\.012 eth +0 +100\n/,
  )

  const gold = ['--name', 'Gold', '--image', picture, '--attribute', 'Colour=gold', '--id', 'gold-1']
  const minted = await run('mint', 'tea', ...ofShop, '--to', 'ada@example.com', ...gold)
  expect(minted).toEqual({
    status: 0,
    out: 'gold-1\n',
    err: 'The service mints it. To see its status: kassa-service mint tea --project shop --status gold-1\n',
  })
  const status = ['mint', 'tea', ...ofShop, '--status', 'gold-1']
  await expect.poll(async () => (await run(...status)).out).toMatch(/status +success/)
  expect((await run(...status)).out).toMatch(/name +Gold\n.*\ntoken +\d+\nowner +0x/s)
  expect(await runJson(...status)).toMatchObject({
    metadata: { attributes: [{ trait_type: 'Colour', value: 'gold' }] },
  })
  expect(await run('mint', 'tea', ...ofShop, '--to', 'ada@example.com', ...gold)).toMatchObject({
    err: expect.stringMatching(/^It was minted before\./),
  })
  expect((await run('collections', 'nfts', 'tea', ...ofShop)).out).toMatch(/\ngold-1 +success +Gold +\d+ +0x/)
})

test('behavior: a token for an address, and for a recipient in full', async () => {
  await create('cups')
  for (const to of [address, `base-sepolia:${address}`, 'userId:ada:base-sepolia']) {
    const print = ['--name', 'Cup', '--image', picture, '--no-notification']
    expect(await run('mint', 'cups', ...ofShop, '--to', to, ...print)).toMatchObject({ status: 0 })
  }
  expect(await runJson('collections', 'nfts', 'cups', ...ofShop)).toHaveLength(3)
})

test('behavior: more than a page of collections is listed', async () => {
  await run('projects', 'create', 'many')
  for (let at = 0; at < 101; at++) {
    await run('collections', 'create', `c${at}`, '--project', 'many', ...tea)
  }
  const ids = (await runJson('collections', 'list', '--project', 'many')).map(({ id }: { id: string }) => id)
  expect(ids.filter((id: string) => id.startsWith('c'))).toHaveLength(101)
})

test('behavior: a change of what is given, an empty value removes, and unlimited removes a limit', async () => {
  await create(
    'pots',
    '--description',
    'Clay',
    '--supply-limit',
    '5',
    '--price',
    '1',
    '--ends-at',
    '2030-01-01T00:00:00Z',
  )
  const change = [
    '--name',
    'Pots',
    '--description',
    '',
    '--supply-limit',
    'unlimited',
    '--price',
    '2',
    '--ends-at',
    '',
  ]
  const updated = await whileChainIsAway(() => run('collections', 'update', 'pots', ...ofShop, ...change))
  expect(updated).toMatchObject({
    status: 0,
    out: '',
    err: 'The collection is changed. The service brings the change to its contract.\n',
  })
  const changed = await runJson('collections', 'get', 'pots', ...ofShop)
  expect(changed).toMatchObject({ metadata: { name: 'Pots' }, payments: { price: '2' } })
  expect([changed.metadata.description, changed.supplyLimit, changed.sale]).toEqual([
    undefined,
    undefined,
    undefined,
  ])

  const sale = ['--sale', '{"promotionCodes":[{"code":"SUN","percent":"10"}]}', '--max-per-email', '1']
  expect(await run('collections', 'update', 'pots', ...ofShop, ...sale)).toMatchObject({
    err: 'The collection is changed.\n',
  })
  expect(await runJson('collections', 'get', 'pots', ...ofShop)).toMatchObject({
    sale: { promotionCodes: [{ code: 'SUN', percent: '10' }], maxPerBuyer: { email: 1 } },
  })
  const empty = await run('collections', 'update', 'pots', ...ofShop, '--max-per-email', '')
  expect(empty.status).toBe(2)
  expect(empty.err).toContain('--max-per-email: expected a whole number, or "unlimited"')
  await run('collections', 'update', 'pots', ...ofShop, '--max-per-wallet', '2')
  expect((await runJson('collections', 'get', 'pots', ...ofShop)).sale.maxPerBuyer).toEqual({
    wallet: 2,
    email: 1,
  })
  const unlimited = ['--max-per-email', 'unlimited', '--max-per-wallet', 'unlimited']
  await run('collections', 'update', 'pots', ...ofShop, ...unlimited)
  expect((await runJson('collections', 'get', 'pots', ...ofShop)).sale.maxPerBuyer).toBeUndefined()
  await run('collections', 'update', 'pots', ...ofShop, '--price', '', '--sale', '')
  const closed = await runJson('collections', 'get', 'pots', ...ofShop)
  expect([closed.payments, closed.sale]).toEqual([undefined, undefined])
})

test('behavior: a mint that the chain refuses shows why', async () => {
  await create('ice')
  await expect
    .poll(async () => (await run('collections', 'get', 'ice', ...ofShop)).out)
    .toMatch(/creation +succ/)
  chain.state.refusals.set('mint', 'Paused')
  await run('mint', 'ice', ...ofShop, '--to', address, '--name', 'Ice', '--image', picture, '--id', 'cube')
  const status = ['mint', 'ice', ...ofShop, '--status', 'cube']
  await expect
    .poll(async () => {
      await service.advance(15 * 60_000)
      return (await run(...status)).out
    })
    .toMatch(/status +failed\nerror +The transaction reverted: Paused\n/)
  chain.state.refusals.delete('mint')
})

test('behavior: a picture from a file, of a collection and of a token', async () => {
  const file = join(dataDir, 'gold.png')
  const bytes = Buffer.from(png)
  writeFileSync(file, bytes)
  await create('pictures', '--image', file)
  const { metadata } = await runJson('collections', 'get', 'pictures', ...ofShop)
  expect(metadata.imageUrl).toMatch(/^ipfs:\/\/b/)
  const stored = await service.deps.storage.get(metadata.imageUrl.replace('ipfs://', ''))
  expect(stored).toMatchObject({ contentType: 'image/png' })
  expect(Buffer.from(stored?.bytes ?? [])).toEqual(bytes)

  const gold = ['--to', address, '--name', 'Gold', `--image=${file}`, '--id', 'gold']
  await run('mint', 'pictures', ...ofShop, ...gold)
  expect(await runJson('mint', 'pictures', ...ofShop, '--status', 'gold')).toMatchObject({
    metadata: { image: metadata.imageUrl },
  })
  writeFileSync(file, jpeg)
  await run('collections', 'update', 'pictures', ...ofShop, '--image', file)
  const changed = await runJson('collections', 'get', 'pictures', ...ofShop)
  expect(changed.metadata.imageUrl).not.toBe(metadata.imageUrl)

  const [text, large] = [join(dataDir, 'text.png'), join(dataDir, 'large.png')]
  writeFileSync(text, 'not a picture')
  writeFileSync(large, Buffer.alloc(20 * 1024 * 1024 + 1))
  const [notOne, tooLarge, folder] = [
    await run('collections', 'update', 'pictures', ...ofShop, '--image', text),
    await run('collections', 'update', 'pictures', ...ofShop, '--image', large),
    await run('collections', 'update', 'pictures', ...ofShop, '--image', dataDir),
  ]
  expect([notOne.status, tooLarge.status, folder.status]).toEqual([2, 2, 2])
  expect(notOne.err).toContain('--image: expected a PNG, JPEG, GIF, WebP, AVIF or SVG picture')
  expect(tooLarge.err).toContain(`--image: ${large} is larger than 20 MiB`)
  expect(folder.err).toContain(`--image: there is no file ${dataDir}`)
})

test.each([
  ['--project: required', ['collections', 'list']],
  ['there is no project nowhere', ['collections', 'list', '--project', 'nowhere']],
  ['--chain: required', ['collections', 'create', ...ofShop, '--name', 'Tea']],
  ['--name: required', ['collections', 'create', ...ofShop, '--chain', 'base-sepolia']],
  [
    '--chain: solana is not enabled',
    ['collections', 'create', ...ofShop, '--name', 'Tea', '--chain', 'solana'],
  ],
  [
    '--supply-limit: expected a whole number',
    ['collections', 'create', ...ofShop, ...tea, '--supply-limit', 'x'],
  ],
  ['--price: expected', ['collections', 'create', ...ofShop, ...tea, '--price', 'x']],
  ['--price: required', ['collections', 'create', ...ofShop, ...tea, '--currency', 'eth']],
  ['--image: there is no file picture', ['collections', 'create', ...ofShop, ...tea, '--image', 'picture']],
  ['--image: expected', ['collections', 'create', ...ofShop, ...tea, '--image', 'ftp://a.example/']],
  [
    '--image: could not be fetched',
    ['collections', 'create', ...ofShop, ...tea, '--image', 'https://a.example/'],
  ],
  [
    '--transferable: expected true or false',
    ['collections', 'create', ...ofShop, ...tea, '--transferable', 'no'],
  ],
  ['--sale: expected a JSON object', ['collections', 'create', ...ofShop, ...tea, '--sale', '[1]']],
  ['--sale: expected a JSON object', ['collections', 'create', ...ofShop, ...tea, '--sale', '{']],
  [
    '--max-per-wallet: expected 1 or more',
    ['collections', 'create', ...ofShop, ...tea, '--max-per-wallet', '0'],
  ],
  ['the id of the collection: expected', ['collections', 'create', 'a b', ...ofShop, ...tea]],
  ['expected the id of one collection', ['collections', 'create', 'a', 'b', ...ofShop, ...tea]],
  ['expected an option that changes', ['collections', 'update', 'prints', ...ofShop]],
  ["Unknown option '--chain'", ['collections', 'update', 'prints', ...ofShop, '--chain', 'solana']],
  ['expected the id of one collection', ['mint', ...ofShop]],
  ['--to: required', ['mint', 'prints', ...ofShop, '--name', 'x']],
  ['either --template, or --name and --image', ['mint', 'prints', ...ofShop, '--to', address]],
  ['--image: required', ['mint', 'prints', ...ofShop, '--to', address, '--name', 'x']],
  [
    '--attribute: expected a trait and its value',
    ['mint', 'prints', ...ofShop, '--to', address, '--name', 'x', '--attribute', 'red'],
  ],
  [
    '--to: expected <chain>:',
    ['mint', 'prints', ...ofShop, '--to', 'ada', '--name', 'x', '--image', picture],
  ],
  [
    '--to: the collection is on base-sepolia, not on solana',
    ['mint', 'prints', ...ofShop, '--to', 'email:a@b.example:solana', '--name', 'x', '--image', picture],
  ],
  [
    '--id: expected',
    ['mint', 'prints', ...ofShop, '--to', address, '--name', 'x', '--image', picture, '--id', 'a b'],
  ],
])('error: %s', async (message, args) => {
  await create('prints')
  const { status, out, err } = await run(...args)
  expect({ status, out }, err).toEqual({ status: 2, out: '' })
  expect(err).toContain(message)
})

test('error: not-found', async () => {
  await create('prints')
  const answers = [
    await run('collections', 'get', 'nothing', ...ofShop),
    await run('collections', 'update', 'nothing', ...ofShop, '--name', 'x'),
    await run('collections', 'nfts', 'nothing', ...ofShop),
    await run('mint', 'nothing', ...ofShop, '--to', address, '--template', 'x'),
    await run('mint', 'prints', ...ofShop, '--status', 'nothing'),
    await run('collections', 'create', 'prints', ...ofShop, ...tea, '--supply-limit', '7'),
  ]
  expect(answers.map(({ status, err }) => `${status} ${err}`)).toEqual([
    ...Array.from({ length: 4 }, () => '1 kassa-service: Collection nothing not found\n'),
    '1 kassa-service: Token nothing not found\n',
    '1 kassa-service: collectionId: prints exists with other content\n',
  ])
})

test('behavior: without a running service, the command opens what it needs', async () => {
  const env = { KASSA_SANDBOX: '1', KASSA_DATA_DIR: dataDir, KASSA_LOG_LEVEL: 'error' }
  await runCommand(env, 'projects', 'create', 'shop')
  expect(await runCommand(env, 'collections', 'create', 'tea', ...ofShop, ...tea)).toMatchObject({
    status: 0,
    out: 'tea\n',
  })
  const toAda = ['--to', 'ada@example.com', '--name', 'Gold', '--image', picture]
  expect(await runCommand(env, 'mint', 'tea', ...ofShop, ...toAda)).toMatchObject({ status: 0 })
  const { out } = await runCommand(env, 'collections', 'get', 'tea', ...ofShop)
  expect(out).toMatch(/address +0x[0-9a-fA-F]{40}\ncreation +pending\n/)
  expect((await runCommand(env, 'collections', 'nfts', 'tea', ...ofShop)).out).toMatch(/ pending +Gold/)
})
