import { erc20Abi, type Hex } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import { TestToken } from '#adapters/chains/evm/artifacts/TestToken.js'
import { runCli } from '#entry/cli/runCli.js'
import { sendUnattributed } from '#sale/ledger/sendUnattributed.js'
import { createMoneyWorld } from '../../helpers/createMoneyWorld.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const chain = openBeforeAll(createMoneyWorld)
let world: Awaited<ReturnType<typeof chain.open>>
let buyer: Awaited<ReturnType<typeof chain.createPayer>>

beforeAll(async () => {
  world = await chain.open()
  buyer = await chain.createPayer()
})

const place = 'base-sepolia'
const balanceOf = (address: Hex) => chain.client.getBalance({ address })

test('default: coins at a deposit address go back once, however often that is asked for', async () => {
  const order = await world.create(buyer, 'usdc')
  await chain.client.setBalance({ address: chain.depositOf(order) as Hex, value: 9n })
  const { address: to } = await chain.createPayer()
  const before = await balanceOf(to)
  const ask = () => sendUnattributed(world.deps, { order, chain: place, currency: 'eth', to })
  const asked = await Promise.all([ask(), ask()])
  expect(asked[0]).toMatchObject({ status: 'pending', units: '9', recipient: to })
  expect(asked[1]).toEqual(asked[0])
  expect(await world.ledger()).toMatchObject({
    differing: [],
    unattributedFunds: [{ orderId: order, currency: 'eth', units: 9n }],
    sentBack: [{ orderId: order, units: 9n, status: 'pending' }],
  })
  // A job that is done again sends nothing again.
  world.queue.push(...world.queue.filter(({ name }) => name === 'unattributed.send'))
  await world.drain()
  expect(await balanceOf(to)).toBe(before + 9n)
  expect(await ask()).toMatchObject({ id: asked[0]?.id, status: 'sent', txId: expect.any(String) })
  await world.drain()
  expect(await balanceOf(to)).toBe(before + 9n)
  expect(await world.ledger()).toMatchObject({
    differing: [],
    unattributedFunds: [],
    sentBack: [{ orderId: order, chain: place, currency: 'eth', units: 9n, recipient: to, status: 'sent' }],
  })

  // What comes later is another transfer.
  await chain.client.setBalance({ address: chain.depositOf(order) as Hex, value: 4n })
  expect(await ask()).toMatchObject({ units: '4', status: 'pending' })
  await world.drain()
  expect(await balanceOf(to)).toBe(before + 13n)
})

test('behavior: a token that is not taken goes back, and what was paid stays', async () => {
  const order = await world.create(buyer, 'usdc')
  const hash = await chain.operatorWallet.deployContract({ ...TestToken, args: ['Foreign', 'FOR'] })
  const { contractAddress } = await chain.client.waitForTransactionReceipt({ hash })
  const token = contractAddress as Hex
  const mint = await chain.operatorWallet.writeContract({
    address: token,
    ...TestToken,
    functionName: 'mint',
    args: [chain.depositOf(order) as Hex, 7n],
  })
  await chain.client.waitForTransactionReceipt({ hash: mint })
  await buyer.send(order, 'usdc', 30_000_000n)
  const { address: to } = await chain.createPayer()
  await sendUnattributed(world.deps, { order, chain: place, currency: token, to })
  expect(await world.settle(order)).toMatchObject({ phase: 'completed' })
  const read = { address: token, abi: erc20Abi, functionName: 'balanceOf', args: [to] } as const
  expect(await chain.client.readContract(read)).toBe(7n)
  const known = world.deps.chains.get(place)?.currencies.find(({ currency }) => currency === 'usdc')?.address
  const taken = sendUnattributed(world.deps, { order, chain: place, currency: known ?? '', to })
  await expect(taken).rejects.toThrow('usdc is accepted for payments')
})

test('behavior: one address at a time, and one that refuses is told of', async () => {
  const order = await world.create(buyer, 'usdc')
  await chain.client.setBalance({ address: chain.depositOf(order) as Hex, value: 9n })
  const [{ address: first }, { address: second }] = [await chain.createPayer(), await chain.createPayer()]
  await chain.client.setCode({ address: first, bytecode: '0x5f5ffd' })
  const ask = (to: string) => sendUnattributed(world.deps, { order, chain: place, currency: 'eth', to })
  await ask(first)
  await expect(ask(second)).rejects.toThrow(`on their way to ${first}`)
  await world.drain()
  const mine = async () => (await world.ledger()).sentBack.filter(({ orderId }) => orderId === order)
  expect(await mine()).toMatchObject([{ status: 'failed', failure: expect.any(String) }])
  const before = await balanceOf(second)
  await ask(second)
  await world.drain()
  expect(await mine()).toMatchObject([{ status: 'failed' }, { status: 'sent', recipient: second }])
  expect(await balanceOf(second)).toBe(before + 9n)
})

test.each([
  ['order: x is not an order id', { order: 'x' }],
  ['there is no order', { order: crypto.randomUUID() }],
  ['chain: solana is not enabled', { chain: 'solana' }],
  ['currency: expected eth or the address of a token', { currency: 'usdc' }],
  ['to: 0x12 is not an address', { to: '0x12' }],
  ['has no eth', {}],
])('error: %s', async (message, change) => {
  const order = await world.create(buyer, 'usdc')
  const input = { order, chain: place, currency: 'eth', to: buyer.address, ...change }
  await expect(sendUnattributed(world.deps, input)).rejects.toThrow(message)
})

test('error: an address that the deployment may not pay', async () => {
  const order = await world.create(buyer, 'usdc')
  const config = { sanctionedAddresses: new Set([buyer.address.toLowerCase()]) }
  const input = { order, chain: place, currency: 'eth', to: buyer.address }
  await expect(sendUnattributed({ ...world.deps, config }, input)).rejects.toThrow('sanctioned')
})

test('parameters: the command line lists funds and sends them', async () => {
  const order = await world.create(buyer, 'usdc')
  await chain.client.setBalance({ address: chain.depositOf(order) as Hex, value: 10n ** 15n })
  const run = async (...args: string[]) => {
    const [out, err]: [string[], string[]] = [[], []]
    const context = {
      env: {},
      service: world.deps,
      out: (text: string) => void out.push(text),
      err: (text: string) => void err.push(text),
    }
    const status = await runCli(['unattributed-funds', ...args], context)
    return { status, out: out.join(''), err: err.join('') }
  }
  const { address: to } = await chain.createPayer()
  const listed = await run('list')
  expect(listed).toMatchObject({ status: 0, err: '' })
  expect(listed.out).toMatch(new RegExp(`^${order} +base-sepolia +eth +0\\.001$`, 'm'))
  const ask = () => run('send', '--order', order, '--chain', place, '--currency', 'eth', '--to', to)
  const what = `1000000000000000 base units of eth to ${to}`
  expect(await ask()).toEqual({ status: 0, out: '', err: `The service will send ${what}.\n` })
  await world.drain()
  expect(await ask()).toMatchObject({ status: 0, err: expect.stringContaining(`Already sent: ${what}, 0x`) })
  const { funds, sent } = JSON.parse((await run('list', '--json')).out)
  expect(funds).not.toContainEqual(expect.objectContaining({ order }))
  expect(sent.at(-1)).toMatchObject({ orderId: order, amount: '0.001', recipient: to, status: 'sent' })
  expect(await run('send', '--order', order)).toMatchObject({
    status: 2,
    err: expect.stringContaining('--chain'),
  })
})
