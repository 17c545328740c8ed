import type { Hex } from 'viem'
import { hexToBytes } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requireCalls } from '#holdings/transactions/actingWallet.js'
import { createOperationWorld } from '../../../helpers/createOperationWorld.js'
import { startRelay } from '../../../helpers/startRelay.js'

let world: Awaited<ReturnType<typeof createOperationWorld>>
beforeAll(async () => {
  world = await createOperationWorld()
})
afterAll(() => world.close())

const refused = {
  status: 'reverted',
  revert: { type: 'contract_call', reason: 'reverted without a reason' },
}

/** Deploys a contract that halts the EVM on every call. */
const putHalting = async (bytecode: Hex): Promise<Hex> => {
  const to = world.newAddress()
  await world.client.setCode({ address: to, bytecode })
  return to
}

test.each<[string, Hex]>([
  ['INVALID, as assertions of old', '0xfe'],
  ['an opcode that does not exist', '0x0c'],
  ['a jump to nowhere', '0x600056'],
  ['a stack that lacks what is asked of it', '0x01'],
  ['a stack that runs over', '0x5b5f5f56'],
  ['a loop that uses up all gas', '0x5b5f56'],
])('default: %s is a revert without data', async (_, bytecode) => {
  const call = { to: await putHalting(bytecode), value: 0n, data: '0x' }
  expect(await requireCalls(world.chain).try(world.newAddress(), call, { isSponsored: true })).toMatchObject(
    refused,
  )
  const { wallet } = world.createAccountWallet()
  const input = { wallet, calls: [call], nonce: 0n, isSponsored: true }
  expect(await world.port.prepare(input)).toMatchObject({ status: 'reverted' })
})

test.each([
  'invalid opcode: INVALID',
  'invalid jump destination',
  'out of gas',
  'stack underflow (0 <=> 2)',
  'stack limit reached 1024 (1023)',
  'write protection',
])('parameters: the words of another node: %s', async (message) => {
  const to = world.newAddress()
  const relay = await startRelay(
    await world.node.rpcUrl(),
    async () => {},
    (body) => (body.includes(to.slice(2)) ? { code: -32000, message } : undefined),
  )
  const chain = world.open({ rpcUrl: async () => relay.url })
  expect(
    await requireCalls(chain).try(world.newAddress(), { to, value: 0n, data: '0x' }, { isSponsored: true }),
  ).toMatchObject(refused)
  await relay.close()
})

test('parameters: a failing node is no halt', async () => {
  const to = world.newAddress()
  const relay = await startRelay(
    await world.node.rpcUrl(),
    async () => {},
    (body) =>
      body.includes(to.slice(2)) ? { code: -32603, message: 'EVM error FatalExternalError' } : undefined,
  )
  const chain = world.open({ rpcUrl: async () => relay.url })
  const asked = requireCalls(chain).try(
    world.newAddress(),
    { to, value: 0n, data: '0x' },
    { isSponsored: true },
  )
  await expect(asked).rejects.toMatchObject({ code: 'chain-unavailable' })
  await relay.close()
})

test('behavior: an account’s call that halts has failed, and the next one is sent', async () => {
  const key = generatePrivateKey()
  const privateKey = hexToBytes(key)
  const to = await putHalting('0xfe')
  let awayCount = 0
  const chain = world.open({ onAway: () => awayCount++ })
  const send = (name: string, target: Hex) =>
    requireCalls(chain).send(name, {
      privateKey,
      isSponsored: true,
      call: { to: target, value: 0n, data: '0x' },
    })
  expect(await send('halts', to)).toMatchObject({
    status: 'failed',
    error: { reason: 'execution_reverted', revert: refused.revert },
  })
  expect(await send('next', privateKeyToAccount(key).address)).toMatchObject({ status: 'success' })
  expect(awayCount).toBe(0)
})

test('behavior: for a revert with 800 KB, the message contains only that it reverted', async () => {
  const call = { to: await putHalting('0x620c35005ffd'), value: 0n, data: '0x' }
  const tried = await requireCalls(world.chain).try(world.newAddress(), call, { isSponsored: true })
  expect(tried).toMatchObject({ status: 'reverted' })
  const { wallet } = world.createAccountWallet()
  const prepared = await world.port.prepare({
    wallet,
    calls: [call],
    nonce: 0n,
    isSponsored: true,
  })
  expect(prepared).toMatchObject({ status: 'reverted' })
  for (const answer of [tried, prepared]) expect(JSON.stringify(answer).length).toBeLessThan(20_000)
})

test('behavior: a revert that exceeds the response limit counts as one without data', async () => {
  const to = world.newAddress()
  const relay = await startRelay(
    await world.node.rpcUrl(),
    async () => {},
    () => undefined,
    (body, answer) => {
      if (!body.includes(to.slice(2))) return answer
      const error = { code: 3, message: 'execution reverted', data: `0x${'00'.repeat(5_500_000)}` }
      return JSON.stringify({ jsonrpc: '2.0', id: (JSON.parse(body) as { id: number }).id, error })
    },
  )
  const chain = world.open({ rpcUrl: async () => relay.url })
  expect(
    await requireCalls(chain).try(world.newAddress(), { to, value: 0n, data: '0x' }, { isSponsored: true }),
  ).toMatchObject(refused)
  await relay.close()
})
