import { beforeAll, describe, expect, test } from 'vitest'
import { plantedBugs } from '../../scripts/lib/plantedBugs.mjs'
import {
  bundleSimulation,
  purchasesPerWorld,
  replayWorld,
  simulatePurchases,
} from '../../scripts/lib/simulatePurchases.mjs'
import { seedOf } from './virtual/runWorlds.js'
import { buyersPerWorld, World } from './virtual/world.js'

const purchases = 2_000
const worlds = purchases / purchasesPerWorld

const find = async (name: string) => {
  const bug = plantedBugs.find((one) => one.name === name)
  if (!bug) throw new Error(`there is no planted bug ${name}`)
  const bundle = await bundleSimulation(bug)
  const { violation } = await simulatePurchases({ bundle, seed: '1', worlds, jobs: 2 })
  return { bundle, violation }
}

describe('purchases in simulated worlds', () => {
  let bundle = ''

  beforeAll(async () => {
    bundle = await bundleSimulation()
  })

  test('default: nothing goes wrong, whatever happens', async () => {
    const outcome = await simulatePurchases({ bundle, seed: '1', worlds, jobs: 2 })
    expect(outcome.violation).toBeUndefined()
    expect(outcome.worlds).toBe(worlds)
    expect(outcome.tally['a buyer comes']).toBe(purchases)
    expect(outcome.tally['order ends: completed']).toBeGreaterThan(purchases / 2)
    // What the worlds are there for has happened in some of them.
    const happened = Object.keys(outcome.tally)
    expect(happened).toEqual(
      expect.arrayContaining([
        'a process ends',
        'a job runs twice',
        'an answer is lost',
        'blocks are replaced',
        'final blocks are replaced',
        'fees spike',
        'mint is refused',
        'refund reverts',
        'two tabs',
        'one transaction pays twice',
        'one transaction pays in parts',
        'refund ends: underpaid, sent',
        'the buyer pays too little',
        'the wallet signs late',
        'order ends: completed',
        'order ends: quote',
        'payment ends: returned',
        'delivery ends: failed',
        'refund ends: duplicate, sent',
        'refund ends: expired, sent',
        'refund ends: undelivered, sent',
        'the merchant refunds',
        'refund ends: requested, sent',
        'capture ends: captured',
        'capture ends: voided',
        'capture ends: expired',
        'claim ends: completed',
        'an order is paid at a new price after a return',
        'refund ends: voided, sent',
        'refund ends: capture-expired, sent',
      ]),
    )
  })

  test.each([
    'second-payment-kept',
    'underpayment-kept',
    'part-used-and-refunded',
    'returned-part-counts-again',
    'quoted-while-being-paid',
    'refunded-again-after-crash',
    'refund-requested-twice',
    'supply-exceeded',
    'captured-too-late',
  ])('behavior: finds the planted bug %s, and the faults that it takes', async (name) => {
    const { bundle: planted, violation } = await find(name)
    if (!violation) throw new Error('not found')
    const replay = await replayWorld({ bundle: planted, seed: '1', world: violation.world })
    if (!replay) throw new Error('not found again')
    expect(replay.trace.join('\n')).toContain(`WRONG: ${replay.violation}`)
    const world = new World({ seed: seedOf('1', violation.world) })
    await world.run()
    expect(world.invariants.violation).toBeUndefined()
    expect(replay.faults.length).toBeLessThan(world.dice.faults.length)
  })

  test('behavior: a verb that fails is a violation', async () => {
    const broken = {
      name: 'create-fails',
      says: '',
      changes: [
        {
          file: 'service/src/sale/orders/findLineItems.ts',
          text: 'const { projectId } = asked',
          by: "const { projectId } = asked\n  throw new Error('out of order')",
        },
      ],
    }
    const outcome = await simulatePurchases({
      bundle: await bundleSimulation(broken),
      seed: '1',
      worlds: 4,
      jobs: 1,
    })
    expect(outcome.violation?.text).toContain('createOrder failed: Error: out of order')
    expect(outcome.tally['order ends: completed']).toBeUndefined()
  })

  test('behavior: every planted bug can be planted', async () => {
    for (const bug of plantedBugs) await expect(bundleSimulation(bug)).resolves.toContain(bug.name)
  })

  test('behavior: one seed always gives the same world, another seed another one', async () => {
    const trace = async (seed: string): Promise<readonly string[] | undefined> => {
      const world = new World({ seed, isTracing: true })
      await world.run()
      return world.trace
    }
    const first = await trace('1/7')
    expect(first?.length).toBeGreaterThan(50)
    expect(await trace('1/7')).toEqual(first)
    expect(await trace('1/8')).not.toEqual(first)
  })

  test('behavior: a bug whose code has changed is refused', async () => {
    const [known] = plantedBugs
    if (!known) throw new Error('no planted bug')
    const changes = [{ file: 'src/engine/order/applyQuote.ts', text: 'no such text', by: '' }]
    await expect(bundleSimulation({ ...known, name: 'outdated', changes })).rejects.toThrow(
      /once in .*applyQuote/,
    )
    const elsewhere = [{ file: 'src/engine/order/unknown.ts', text: '', by: '' }]
    await expect(bundleSimulation({ ...known, name: 'outdated', changes: elsewhere })).rejects.toThrow(
      /does not use/,
    )
  })

  test('behavior: the script counts as many purchases as a world has', () => {
    expect(purchasesPerWorld).toBe(buyersPerWorld)
  })
})
