import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestChain } from '../../../helpers/createTestChain.js'
import { startRelay } from '../../../helpers/startRelay.js'

let world: Awaited<ReturnType<typeof createTestChain>>
beforeAll(async () => {
  world = await createTestChain()
  await world.client.mine({ blocks: 100 })
})
afterAll(() => world.close())

test.each(['safe', 'finalized'] as const)('default: the block that the node calls %s', async (finality) => {
  const { number } = await world.client.getBlock({ blockTag: finality })
  expect(await world.open({ finality }).getFinalBlock()).toBe(number)
})

test('parameters: finality: by confirmations, without asking the chain', async () => {
  expect(await world.open({ finality: undefined }).getFinalBlock()).toBeUndefined()
})

test('behavior: a node without the block tag falls back to confirmations for five minutes; a failing node does not', async () => {
  let refusal: { code: number; message: string } | number | undefined
  const relay = await startRelay(
    await world.node.rpcUrl(),
    async () => {},
    (body) => (body.includes('finalized') ? refusal : undefined),
  )
  let nowMs = 0
  const open = (isFinalityRequired = false) =>
    world.open({
      finality: 'finalized',
      isFinalityRequired,
      rpcUrl: async () => relay.url,
      now: () => nowMs,
    })
  const chain = open()
  refusal = 503
  await expect(chain.getFinalBlock()).rejects.toMatchObject({ code: 'chain-unavailable' })
  refusal = undefined
  expect(await chain.getFinalBlock()).toBeGreaterThan(0n)
  // The node knew the tag before, so counting fewer confirmations would accept payments too early.
  refusal = { code: -32602, message: 'unknown block' }
  await expect(chain.getFinalBlock()).rejects.toMatchObject({ code: 'chain-unavailable' })
  const other = open()
  expect(await other.getFinalBlock()).toBeUndefined()
  // An operator who chose the tag does not have payments accepted with less.
  await expect(open(true).getFinalBlock()).rejects.toMatchObject({
    code: 'chain-unavailable',
    message: expect.stringContaining('KASSA_FINALITY_BASE_SEPOLIA=confirmations'),
  })
  refusal = undefined
  expect(await other.getFinalBlock()).toBeUndefined()
  nowMs += 5 * 60_000
  expect(await other.getFinalBlock()).toBeGreaterThan(0n)
  refusal = { code: -32602, message: 'unknown block' }
  await expect(other.getFinalBlock()).rejects.toMatchObject({ code: 'chain-unavailable' })
  await relay.close()
})
