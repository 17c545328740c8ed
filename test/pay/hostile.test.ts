import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PayStep } from '../../src/query.js'
import { payer } from '../chain/evm/payable.js'
import { honestAnswers } from './hostile/honestAnswers.js'
import type { Mutation } from './hostile/mutation.js'
import { orderMutations } from './hostile/orderMutations.js'
import { type Scenario, scenarios } from './hostile/scenario.js'
import { transactionMutations } from './hostile/transactionMutations.js'
import { createWorld } from './hostile/world.js'

const runsPerKind = 125
// The wallet's methods that show its owner nothing.
const silent = ['eth_accounts', 'eth_requestAccounts', 'eth_chainId']

const counts = new Map<string, number>()
let world: Awaited<ReturnType<typeof createWorld>>

beforeAll(async () => {
  world = await createWorld()
})

type Ask = { from: string; to: string; value?: string; data?: string; gas?: string; chainId?: string }

/** Expects that the wallet is asked for the payment as it was prepared before the mutation. */
const expectOriginal = (params: unknown, { transaction }: Scenario): void => {
  const [{ from, to, value, data, gas: _gas, chainId, ...others }] = params as [Ask]
  expect(others).toEqual({})
  expect([from, to, data ?? '0x'].map((text) => text.toLowerCase())).toEqual(
    [payer, transaction.to, transaction.data].map((text) => text.toLowerCase()),
  )
  expect(BigInt(value ?? 0)).toBe(transaction.value)
  if (chainId !== undefined) expect(Number(chainId)).toBe(84532)
}

const codeOf = (step: PayStep): string => ('error' in step ? step.error.code : step.status)

/** Drives one purchase against one lie, and expects that the buyer's wallet never comes to know of it. */
const check = async (scenario: Scenario, mutation: Mutation): Promise<string> => {
  const { step, asked } = await world.pay(scenario, mutation)
  const shown = asked.filter(({ method }) => !silent.includes(method))
  for (const { method, params } of shown) {
    expect(method).toBe('eth_sendTransaction')
    expectOriginal(params, scenario)
  }
  if (!mutation.isHarmless) expect(shown).toEqual([])
  expect(shown.length).toBeLessThanOrEqual(1)
  // An error of the library, with its page and its remedy, and never something that broke.
  expect(step.status).toBe('failed')
  expect(codeOf(step)).not.toMatch(/wallet-failed|chain-unavailable|unreachable/)
  return codeOf(step)
}

const run = (scenario: Scenario, kind: string, mutations: fc.Arbitrary<Mutation>, numRuns = runsPerKind) =>
  fc.assert(
    fc.asyncProperty(mutations, async (mutation) => {
      counts.set(kind, (counts.get(kind) ?? 0) + 1)
      await check(scenario, mutation)
    }),
    { numRuns },
  )

describe.each(scenarios)('a hostile service, $name', (scenario) => {
  const kinds = { ...transactionMutations(scenario), ...orderMutations(scenario) }

  test.each(Object.entries(honestAnswers(scenario)))('default: %s', async (_kind, answers) => {
    await fc.assert(
      fc.asyncProperty(answers, async (mutation) => {
        // The wallet is asked, and declines: were it not, the tests below could not fail.
        expect(await check(scenario, mutation)).toBe('pay.rejected')
      }),
      { numRuns: 20 },
    )
  })

  test.each(Object.entries(kinds))('behavior: the wallet stays closed, %s', (kind, mutations) =>
    run(scenario, kind, mutations, kind === 'bytes' ? 8 * runsPerKind : runsPerKind),
  )

  test('behavior: the wallet stays closed when the lie comes at the last moment', () => {
    const late = fc
      .oneof(...Object.values(kinds))
      .filter(({ isHarmless, total }) => !isHarmless && !total)
      .map(({ answers }) => ({ answers: [scenario.order, ...answers] }))
    return run(scenario, 'at the last moment', late, 4 * runsPerKind)
  })
})

afterAll(() => {
  const rows = [...counts].map(([kind, count]) => `${String(count).padStart(6)}  ${kind}`)
  const sum = [...counts.values()].reduce((total, count) => total + count, 0)
  console.info(
    `Mutations of a valid preparation, by kind:\n${rows.join('\n')}\n${String(sum).padStart(6)}  in all`,
  )
  expect(sum).toBeGreaterThanOrEqual(10_000)
})
