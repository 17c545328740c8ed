import fc from 'fast-check'
import { type Address, domainSeparator, encodeAbiParameters, type Hex, toFunctionSelector } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getDepositAddress, permitSpender } from '../../../../src/chain/index.js'
import {
  nonceOfQuote,
  type ProposedTerms,
  permit2Address,
  writeAuthorization,
} from '../../../../src/engine/evm/authorization.js'
import type { Order } from '../../../../src/schema/index.js'
import { type AuthorizationKind, authorizationKinds } from '../../../../src/schema/orderMembers.js'
import {
  contracts,
  deposit,
  expiresAt,
  orderId,
  payer,
  stranger,
  tokenOrder,
  usdc,
} from '../../../chain/evm/payable.js'
import { always, change, type Mutation, type Path } from '../../hostile/mutation.js'
import { createWorld } from '../../hostile/world.js'

const runsPerField = 50
// The wallet's methods that show its owner nothing.
const silent = ['eth_accounts', 'eth_requestAccounts', 'eth_chainId']
const permitNonce = 7n
const domain = { name: 'USDC', version: '2' }
const units = 36_000_000n

const word = (value: bigint): Hex => encodeAbiParameters([{ type: 'uint256' }], [value])
const separator = domainSeparator({ domain: { ...domain, chainId: 84_532, verifyingContract: usdc } })
const selectorOf = (name: string): Hex => toFunctionSelector(`function ${name}`)

/** A chain that agrees to everything, and knows its token: what is stopped here, was stopped by the checks. */
const answerCalls =
  (kind: AuthorizationKind) =>
  (data: string): Hex | undefined =>
    ({
      [selectorOf('DOMAIN_SEPARATOR()')]: separator,
      [selectorOf('nonces(address)')]: word(permitNonce),
      [selectorOf('allowance(address,address)')]: word(kind === 'permit2' ? 2n ** 255n : 0n),
    })[data.slice(0, 10)]

const termsOf = (kind: AuthorizationKind): ProposedTerms => ({
  kind,
  chainId: 84_532,
  token: usdc,
  domain,
  spender: permitSpender,
  payer,
  recipient: deposit,
  units,
  validBefore: BigInt(Date.parse(expiresAt) / 1000),
  nonce: nonceOfQuote({ orderId, units, deadlineMs: Date.parse(expiresAt) }),
  permitNonce,
})

/** An order whose payer has no coins, so that nothing but the signature can pay for it. */
const orderOf = (offered: unknown): Order => {
  const order = tokenOrder()
  return {
    ...order,
    payment: {
      ...order.payment,
      status: 'crypto-payer-insufficient-funds-for-gas',
      gas: 'shop',
      preparation: { chain: 'base-sepolia', payerAddress: payer, authorization: offered },
    },
  }
}

type Json = Readonly<Record<string, unknown>>

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null

/** Lists the paths of all values in some JSON, also of those that contain others. */
const listPaths = (value: unknown, path: Path = []): Path[] => [
  path,
  ...(isJson(value)
    ? Object.entries(value).flatMap(([name, inner]) => listPaths(inner, [...path, name]))
    : []),
]

const getAt = (json: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, name) => (isJson(value) ? value[name] : undefined), json)

/** A copy with another value at a path, also inside lists. */
const changeAt = (json: unknown, path: Path, value: unknown): unknown => {
  const [name, ...rest] = path
  if (name === undefined) return value
  if (!Array.isArray(json))
    return change(json, [name], changeAt(isJson(json) ? json[name] : undefined, rest, value))
  return json.flatMap((each, at) => {
    if (`${at}` !== name) return [each]
    const changed = changeAt(each, rest, value)
    return changed === undefined ? [] : [changed]
  })
}

/** A value as the chain would read it. */
const meaningOf = (value: unknown): string => {
  if (typeof value !== 'string' && typeof value !== 'number') return JSON.stringify(value) ?? 'nothing'
  const text = String(value).toLowerCase()
  return /^(\d+|0x[0-9a-f]{1,64})$/.test(text) ? `${BigInt(text)}` : text
}

const address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes): Address => `0x${Buffer.from(bytes).toString('hex')}`)

/** Values that typed data of a payment has in other places, or that a careless reader would trip over. */
const odd: readonly unknown[] = [
  'USDC',
  'USD Coin',
  '1',
  '2',
  'Permit2',
  'address',
  'uint256',
  'Permit',
  'erc3009',
  'permit',
  'permit2',
  '',
  '0x',
  '-1',
  '1e6',
  'constructor',
  '__proto__',
  '\u202e',
  'x'.repeat(20_000),
  null,
  true,
  [],
  {},
  [1],
]

/** Any other value in place of one. */
const anyOther = (value: unknown): fc.Arbitrary<unknown> => {
  const number = /^\d+$/.test(String(value)) ? BigInt(String(value)) : 0n
  return fc
    .oneof(
      address,
      fc.constantFrom<unknown>(
        stranger,
        payer,
        usdc,
        permit2Address,
        permitSpender,
        deposit,
        contracts.depositFactory,
      ),
      fc.uuid().map((id) => getDepositAddress(contracts.depositFactory, id)),
      fc.bigInt({ min: 0n, max: 2n ** 256n }).map(String),
      fc.bigInt({ min: 1n, max: 1_000_000n }).map((by) => `${number + by}`),
      fc.bigInt({ min: 1n, max: 1_000_000n }).map((by) => `${number > by ? number - by : 0n}`),
      fc.integer(),
      fc.string({ maxLength: 70 }),
      fc
        .uint8Array({ minLength: 32, maxLength: 32 })
        .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`),
      fc.constantFrom<unknown>(...odd),
      fc.jsonValue({ maxDepth: 3 }),
    )
    .filter((other) => meaningOf(other) !== meaningOf(value))
}

const counts = new Map<string, number>()

describe.each(authorizationKinds)('a hostile service, %s', (kind) => {
  let world: Awaited<ReturnType<typeof createWorld>>
  beforeAll(async () => {
    world = await createWorld(answerCalls(kind))
  })

  const offered: unknown = JSON.parse(JSON.stringify(writeAuthorization(termsOf(kind))))
  const order = orderOf(offered)
  const { typedData, permit } = writeAuthorization(termsOf(kind))
  const first = permit ?? typedData

  /** Drives one purchase against one lie, and expects that the buyer's wallet never comes to know of it. */
  const check = async (mutation: Mutation, rules = { contracts }): Promise<string> => {
    const { step, asked } = await world.pay({ rules }, mutation)
    const shown = asked.filter(({ method }) => !silent.includes(method))
    if (!mutation.isHarmless) expect(shown, JSON.stringify(mutation.answers)).toEqual([])
    for (const { method, params } of shown) {
      expect(method).toBe('eth_signTypedData_v4')
      const [signer, text] = params as [string, string]
      expect([signer, JSON.parse(text)]).toEqual([payer, JSON.parse(JSON.stringify(first))])
    }
    expect(shown.length).toBeLessThanOrEqual(1)
    if (step.status !== 'failed') throw new Error(`the payment is ${step.status}`)
    // An error of the library, with its page and its remedy, and never something that broke.
    expect(step.error.code).not.toMatch(/wallet-failed|chain-unavailable|unreachable/)
    return step.error.code
  }

  const run = (name: string, mutations: fc.Arbitrary<Mutation>, numRuns = runsPerField) =>
    fc.assert(
      fc.asyncProperty(mutations, async (mutation) => {
        counts.set(name, (counts.get(name) ?? 0) + 1)
        await check(mutation)
      }),
      { numRuns },
    )

  test('default: the truth is signed, exactly as the order says it', async () => {
    expect(await check({ ...always(order), isHarmless: true })).toBe('pay.rejected')
    // Also in other words, and with fields that a newer service knows: what is signed is written here.
    const upper = JSON.parse(JSON.stringify(offered).replaceAll(deposit, deposit.toLowerCase()))
    expect(await check({ ...always(orderOf({ ...upper, hint: 'x' })), isHarmless: true })).toBe(
      'pay.rejected',
    )
  })

  test.each(listPaths(offered).map((path) => [path.join('.') || 'everything', path] as const))(
    'behavior: the wallet stays closed, %s',
    async (name, path) => {
      await run(
        name,
        anyOther(getAt(offered, path)).map((value) => always(orderOf(changeAt(offered, path, value)))),
      )
      counts.set(name, (counts.get(name) ?? 0) + 1)
      await check(always(orderOf(changeAt(offered, path, undefined))))
    },
  )

  test('behavior: the wallet stays closed, a field too many', () => {
    const places = listPaths(offered).filter((path) => isJson(getAt(offered, path)) && path.length > 1)
    const extra = fc.tuple(
      fc.constantFrom(...places),
      fc.string({ maxLength: 12 }),
      fc.jsonValue({ maxDepth: 1 }),
    )
    return run(
      'a field too many',
      extra
        .filter(([path, name]) => {
          const within = getAt(offered, path)
          return (
            !Array.isArray(within) && isJson(within) && !Object.hasOwn(within, name) && name !== '__proto__'
          )
        })
        // Fields beside the typed data's own parts are signed by none.
        .filter(([path]) => path.some((name) => ['domain', 'message', 'types'].includes(name)))
        .map(([path, name, value]) => always(orderOf(changeAt(offered, [...path, `x${name}`], value)))),
      5 * runsPerField,
    )
  })

  const total = { amount: '36', currency: 'usdc' }
  const otherAmount = fc.integer({ min: 1, max: 1_000_000 }).filter((amount) => amount !== 36)
  test.each(
    Object.entries({
      'another price': otherAmount.map((amount) =>
        always(change(order, ['quote', 'totalPrice', 'amount'], `${amount}`)),
      ),
      'another end of the quote': fc
        .integer({ min: 1, max: 10 ** 9 })
        .map((ms) =>
          always(change(order, ['quote', 'expiresAt'], new Date(Date.parse(expiresAt) + ms).toISOString())),
        ),
      'another order': fc.uuid().map((id) => always({ ...order, orderId: id })),
      'another payer': address.map((other) =>
        always(change(order, ['payment', 'preparation', 'payerAddress'], other)),
      ),
      'another chain': fc
        .constantFrom('base', 'ethereum', 'polygon', 'optimism-sepolia', 'solana', 'constructor', '')
        .map((chain) => always(change(order, ['payment', 'preparation', 'chain'], chain))),
      'everything on another chain': fc
        .constantFrom(['base', 8453] as const, ['ethereum', 1] as const)
        .map(([chain, chainId]) => {
          const moved = orderOf(writeAuthorization({ ...termsOf(kind), chainId }))
          return always(
            change(change(moved, ['payment', 'method'], chain), ['payment', 'preparation', 'chain'], chain),
          )
        }),
      'another currency': fc
        .constantFrom('eth', 'usdxm', 'usdt', 'constructor', '__proto__', '')
        .map((currency) => always(change(order, ['quote', 'totalPrice', 'currency'], currency))),
      'another price, well prepared': fc.bigInt({ min: 1n, max: 2n ** 40n }).map((more) => {
        const dear = {
          ...termsOf(kind),
          units: units + more,
          nonce: nonceOfQuote({ orderId, units: units + more, deadlineMs: Date.parse(expiresAt) }),
        }
        const digits = `${units + more}`
        const amount = `${digits.slice(0, -6)}.${digits.slice(-6)}`
        const prepared = change(orderOf(writeAuthorization(dear)), ['quote', 'totalPrice', 'amount'], amount)
        return { ...always(prepared), total }
      }),
      'another recipient, well prepared': address.map((recipient) =>
        always(orderOf(writeAuthorization({ ...termsOf(kind), recipient }))),
      ),
      'another domain of the token, well prepared': fc
        .tuple(fc.string({ maxLength: 20 }), fc.string({ maxLength: 5 }))
        .filter(([name, version]) => name !== domain.name || version !== domain.version)
        .map(([name, version]) =>
          always(
            kind === 'permit2'
              ? change(order, ['payment', 'preparation', 'authorization', 'permit'], {
                  domain: { name, version },
                })
              : orderOf(writeAuthorization({ ...termsOf(kind), domain: { name, version } })),
          ),
        ),
      'another kind, well prepared for no token of the chain': fc
        .constantFrom('erc20', 'permit3', 'constructor', '', null, 7)
        .map((other) => always(change(order, ['payment', 'preparation', 'authorization', 'kind'], other))),
    }),
  )('behavior: the wallet stays closed, %s', (name, mutations) => run(name, mutations))

  test('behavior: the wallet stays closed when the lie comes at the last moment', () => {
    const paths = listPaths(offered).filter((path) => !isJson(getAt(offered, path)))
    const lies = fc
      .constantFrom(...paths)
      .chain((path) => anyOther(getAt(offered, path)).map((value) => changeAt(offered, path, value)))
    return run(
      'at the last moment',
      lies.map((lie) => ({ answers: [order, orderOf(lie)] })),
      5 * runsPerField,
    )
  })

  test('error: pay.recipient-mismatch where the app names other contracts', async () => {
    const rules = { contracts: { ...contracts, depositFactory: stranger } }
    expect(await check(always(order), rules)).toBe('pay.recipient-mismatch')
  })

  test('behavior: without contracts named, the zero address, the payer and the token are no recipients', async () => {
    const zero: Address = '0x0000000000000000000000000000000000000000'
    for (const recipient of [zero, payer, usdc]) {
      const { step, asked } = await world.pay(
        { rules: {} },
        always(orderOf(writeAuthorization({ ...termsOf(kind), recipient }))),
      )
      expect(step).toMatchObject({ status: 'failed', error: { code: 'pay.call-not-allowed' } })
      expect(asked.filter(({ method }) => !silent.includes(method))).toEqual([])
    }
  })
})

afterAll(() => {
  const sum = [...counts.values()].reduce((total, count) => total + count, 0)
  console.info(`${sum} changes of what a buyer signs, in ${counts.size} places`)
  expect(sum).toBeGreaterThanOrEqual(10_000)
})
