import { describe, expect, test } from 'vitest'
import { createShop } from '../../helpers/createShop.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const nullForLimit =
  'null is not a limit: leave the field out, or send "unlimited" to remove a limit that is set'
const shop = openBeforeAll(createShop)
const collectionsPath = '/api/2022-06-09/collections'
const prints = `${collectionsPath}/prints`
const cup = { name: 'Cup', image: 'https://files.example/cup.png' }

const read = async (path: string): Promise<unknown> => (await shop.send('GET', path)).json()
const patch = (path: string, body: object) => shop.send('PATCH', path, { body })

const createTemplate = async (): Promise<string> => {
  const body = { metadata: cup, supply: { limit: 3 }, reuploadLinkedFiles: false }
  await shop.send('PUT', `${prints}/templates/cup`, { body })
  return `${prints}/templates/cup`
}

/** Every limit: its field, a body with it, and what a reader sees of it. */
const limits = [
  ['supplyLimit', (limit: unknown) => ({ supplyLimit: limit })],
  ['sale.maxPerBuyer.wallet', (limit: unknown) => ({ sale: { maxPerBuyer: { wallet: limit } } })],
  ['sale.maxPerBuyer.email', (limit: unknown) => ({ sale: { maxPerBuyer: { email: limit } } })],
  ['sale.maxPerBuyer.payer', (limit: unknown) => ({ sale: { maxPerBuyer: { payer: limit } } })],
  [
    'sale.phases[0].maxTokens',
    (limit: unknown) => ({ sale: { phases: [{ name: 'Early', maxTokens: limit }] } }),
  ],
  [
    'sale.promotionCodes[0].limit',
    (limit: unknown) => ({ sale: { promotionCodes: [{ code: 'HALF', percent: '50', limit }] } }),
  ],
  ['supply.limit', (limit: unknown) => ({ supply: { limit } })],
] as const

const readField = (value: unknown, field: string): unknown =>
  field
    .split(/[.[\]]+/)
    .filter(Boolean)
    .reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value)

describe.each(limits)('%s', (field, bodyOf) => {
  const open = async () => (field === 'supply.limit' ? createTemplate() : prints)

  test('default: a number sets it', async () => {
    const path = await open()
    for (const limit of [5, 7]) {
      expect((await patch(path, bodyOf(limit))).status).toBe(200)
      expect(readField(await read(path), field)).toBe(limit)
    }
  })

  test.each([
    ['null', null, nullForLimit],
    ['a number that could not be read', Number.NaN, nullForLimit],
    ['another word', 'none', 'expected a whole number, or "unlimited"'],
    ['zero', 0, 'expected 1 or more'],
  ])('error: %s names the field and writes nothing', async (_, limit, fault) => {
    const path = await open()
    expect((await patch(path, bodyOf(9))).status).toBe(200)
    const before = await read(path)
    const refused = await patch(path, { ...bodyOf(limit), metadata: { name: 'Changed' } })
    const message = `${field}: ${fault}`
    expect([refused.status, await refused.json()]).toEqual([400, expect.objectContaining({ message })])
    expect(await read(path)).toEqual(before)
  })

  test('behavior: "unlimited" removes it', async () => {
    const path = await open()
    expect((await patch(path, bodyOf(9))).status).toBe(200)
    expect((await patch(path, bodyOf('unlimited'))).status).toBe(200)
    expect(readField(await read(path), field)).toBeUndefined()
  })

  test('error: null creates nothing without a limit', async () => {
    const path = field === 'supply.limit' ? `${prints}/templates/new` : `${collectionsPath}/new`
    const rest = field === 'supply.limit' ? {} : { chain: 'base-sepolia' }
    const refused = await shop.send('PUT', path, { body: { metadata: cup, ...rest, ...bodyOf(null) } })
    const message = `${field}: ${nullForLimit}`
    expect([refused.status, await refused.json()]).toEqual([400, expect.objectContaining({ message })])
    expect((await shop.send('GET', path)).status).toBe(404)
  })
})

test('behavior: a change names single limits of a buyer, and the others stay', async () => {
  const limitsAfter = async (maxPerBuyer: object) => {
    expect((await patch(prints, { sale: { maxPerBuyer } })).status).toBe(200)
    return readField(await read(prints), 'sale.maxPerBuyer')
  }
  await patch(prints, { sale: null })
  expect(await limitsAfter({ wallet: 2, email: 3 })).toEqual({ wallet: 2, email: 3 })
  expect(await limitsAfter({ payer: 4 })).toEqual({ wallet: 2, email: 3, payer: 4 })
  expect(await limitsAfter({ wallet: 'unlimited', email: 1 })).toEqual({ email: 1, payer: 4 })
  expect(await limitsAfter({ email: 'unlimited', payer: 'unlimited' })).toBeUndefined()
  const refused = await patch(prints, { sale: { maxPerBuyer: null } })
  const message = `sale.maxPerBuyer: ${nullForLimit}`
  expect([refused.status, await refused.json()]).toEqual([400, expect.objectContaining({ message })])
})

test('behavior: null still removes the rules that are no limits', async () => {
  const rules = {
    endsAt: '2040-01-01T00:00:00Z',
    promotionCodes: [{ code: 'HALF', percent: '50' }],
    phases: [{ name: 'Early' }],
    maxPerBuyer: { wallet: 2 },
  }
  await patch(prints, { sale: rules })
  await patch(prints, { sale: { endsAt: null, promotionCodes: null, phases: null } })
  expect(readField(await read(prints), 'sale')).toEqual({ maxPerBuyer: { wallet: 2 } })
  await patch(prints, { sale: null })
  expect(readField(await read(prints), 'sale')).toBeUndefined()
})
