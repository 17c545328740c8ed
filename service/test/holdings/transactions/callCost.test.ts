import { Transaction, Wallet } from 'kassa/schema'
import { type Address, encodeFunctionData, getAddress, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { TestToken } from '#adapters/chains/evm/artifacts/TestToken.js'
import type { OpenDatabase } from '#base/db/openedDatabase.js'
import type { ChainPort } from '#base/ports/chain.js'
import { createHandlers } from '#entry/createHandlers.js'
import { countStatements } from '../../helpers/countStatements.js'
import { createCaller } from '../../helpers/createCaller.js'
import { createTestChain } from '../../helpers/createTestChain.js'
import { createTestService } from '../../helpers/createTestService.js'
import { databaseKinds } from '../../helpers/databaseKinds.js'
import { startCountingNode } from '../../helpers/startCountingNode.js'

const chain = 'base-sepolia'
const v1 = '/api/2022-06-09/wallets'
/** What the process asks by the clock, or for other work than a transaction. */
const background = /^(with asked as materialized|update jobs set kept_until|select pg_notify)/i
const boundary = /^(begin|commit)/i

let database: OpenDatabase
let world: Awaited<ReturnType<typeof createTestChain>>
let node: Awaited<ReturnType<typeof startCountingNode>>
beforeAll(async () => {
  const kind = databaseKinds.find(({ name }) => name === 'PostgreSQL')
  if (!kind) throw new Error('PostgreSQL is no kind of database')
  database = await kind.open()
  world = await createTestChain(chain, { database, operatorKey: generatePrivateKey() })
  node = await startCountingNode(await world.node.rpcUrl())
})
afterEach(() => world.client.setAutomine(true))
afterAll(async () => {
  await node.close()
  await world.close()
  await database.close()
})

const Page = z.looseObject({ transactions: z.array(Transaction) })
const countOf = (address: Address) => world.client.getTransactionCount({ address })

/** Accepts many transactions of one new account, then sends them, and counts what both take. */
const measure = async (port: ChainPort, count: number) => {
  await port.ready()
  const service = await createTestService({ chains: [port], database })
  const { ask } = createCaller(service)
  const { address } = z.parse(Wallet, await ask(201, 'POST', v1, { type: 'evm-mpc-wallet' }))
  const path = `${v1}/${address}/transactions`
  const token = getAddress(port.currencies.find(({ currency }) => currency === 'usdc')?.address ?? '')
  const to = privateKeyToAddress(generatePrivateKey())
  const data = encodeFunctionData({ ...TestToken, functionName: 'mint', args: [to, 1n] })
  const params = { chain, call: { to: token, data, value: '0' } }
  const giftsBefore = await countOf(world.operator)

  node.reset()
  const { statements, stop } = countStatements()
  try {
    await Promise.all(Array.from({ length: count }, () => ask(201, 'POST', path, { params })))
    await service.jobs.start(createHandlers(service.deps))
    const readOpen = async () => {
      const { rows } = await database.executeSql(
        `select id from wallet_transactions where status = 'pending' -- test`,
      )
      return rows.length
    }
    await expect.poll(readOpen, { interval: 500 }).toBe(0)
  } finally {
    stop()
  }
  const { transactions } = z.parse(Page, await ask(200, 'GET', `${path}?perPage=${count}`))
  await service.close()
  expect(transactions.map(({ status }) => status)).toEqual(Array.from({ length: count }, () => 'success'))
  expect(await world.tokensOf(to, 'usdc')).toBe(BigInt(count))
  const asked = statements.filter((text) => !background.test(text) && !/-- test$/.test(text))
  const cost = {
    nodeCalls: node.counted.calls.length / count,
    nodeRequests: node.counted.requests / count,
    statements: asked.filter((text) => !boundary.test(text)).length / count,
    transactions: asked.filter((text) => /^begin/i.test(text)).length / count,
    own: await countOf(getAddress(address)),
    gifts: (await countOf(world.operator)) - giftsBefore,
    txIds: transactions.map(({ onChain }) => onChain.txId as Hex),
  }
  console.info(
    `${count} transactions of an account, for each: ${cost.nodeCalls} node calls in ${cost.nodeRequests} requests, ` +
      `${cost.statements} statements in ${cost.transactions} database transactions, ` +
      `${(cost.own + cost.gifts) / count} transactions of the chain`,
  )
  return { ...cost, calls: node.counted.calls.join(), asked: asked.join('\n') }
}

test('default: what a transaction of an account asks of the node and the database, of sixty', async () => {
  const cost = await measure(world.open({ rpcUrl: async () => node.url, close: async () => {} }), 60)
  expect(cost.nodeCalls, cost.calls).toBeLessThanOrEqual(6)
  expect(cost.statements, cost.asked).toBeLessThanOrEqual(8)
  expect(cost.own).toBe(60)
  // One for all.
  expect(cost.gifts).toBe(1)
})

test('behavior: with a block in two seconds and three confirmations, it costs as little', async () => {
  await world.client.setAutomine(false)
  await world.client.setIntervalMining({ interval: 2 })
  const slow = { confirmations: 3, pollMs: 1_000 }
  const port = world.open({ ...slow, rpcUrl: async () => node.url, close: async () => {} })
  const cost = await measure(port, 60)
  await world.client.setIntervalMining({ interval: 0 })
  expect(cost.nodeCalls, cost.calls).toBeLessThanOrEqual(8)
  expect(cost.statements, cost.asked).toBeLessThanOrEqual(12)
  expect(cost.own).toBe(60)
  expect(cost.gifts).toBe(1)
})
