import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestChain } from '../../../helpers/createTestChain.js'

let world: Awaited<ReturnType<typeof createTestChain>>
beforeAll(async () => {
  world = await createTestChain()
})
afterAll(() => world.close())

test('behavior: with an empty operator account the node is up, and the refusal says which address to fund', async () => {
  const operatorKey = generatePrivateKey()
  const address = privateKeyToAddress(operatorKey)
  const logged: unknown[] = []
  const log = (...line: unknown[]) => void logged.push(line)
  const chain = world.open({ operatorKey, isLocal: false, log: { info: log, warn: log, error: log } })
  expect(await chain.getHead()).toMatchObject({ number: expect.any(BigInt) })
  expect(await chain.getOperatorBalance()).toBe(0n)
  const refusal = await chain.ready().catch((error: Error) => error.message)
  expect(refusal).toMatch(
    new RegExp(
      `^The operator's account ${address} on base-sepolia holds 0 eth, and its contracts there need 0\\.\\d+: send it`,
    ),
  )
  // No transaction was offered to the node, whose refusal would repeat the bytecode.
  expect(logged).toEqual([])
  const { operator, ...facts } = await chain.inspect()
  expect(facts).toMatchObject({ caip2: 'eip155:84532', latencyMs: expect.any(Number) })
  expect(operator).toMatchObject({ address, units: 0n })
  expect(operator.saleUnits).toBeGreaterThan(0n)
  expect(operator.setUpUnits).toBeGreaterThan(0n)

  // What it says to send is enough.
  await world.client.setBalance({ address, value: operator.setUpUnits })
  await expect
    .poll(() =>
      chain.ready().then(
        () => 'ready',
        ({ message }) => message,
      ),
    )
    .toBe('ready')
  expect((await chain.inspect()).operator.setUpUnits).toBe(0n)
  expect(await chain.getOperatorBalance()).toBeGreaterThan(0n)
})
