import fc from 'fast-check'
import { getDepositAddress, toOrderReference } from '../../../src/chain/index.js'
import type { Amount, Order } from '../../../src/schema/index.js'
import {
  contracts,
  routerPay,
  transfer,
  withPayment,
  withPreparation,
  withQuote,
} from '../../chain/evm/payable.js'
import { always, change, differs, type Mutation, type Path } from './mutation.js'
import type { Scenario } from './scenario.js'

const containers: Path[] = [
  ['lineItems'],
  ['quote'],
  ['quote', 'totalPrice'],
  ['payment'],
  ['payment', 'preparation'],
]
const texts: Path[] = [
  ['orderId'],
  ['phase'],
  ['quote', 'totalPrice', 'amount'],
  ['quote', 'totalPrice', 'currency'],
  ['payment', 'status'],
  ['payment', 'preparation', 'chain'],
  ['payment', 'preparation', 'payerAddress'],
  ['payment', 'preparation', 'serializedTransaction'],
]
// No payment decision depends on the text of `quote.status`; it only has to be present.
const required: Path[] = [...containers, ...texts, ['quote', 'status']]
/** What an order may leave out without being another one. */
export const optional: Path[] = [
  ['payment', 'method'],
  ['payment', 'currency'],
]

const notText = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.array(fc.string(), { maxLength: 3 }),
  fc.dictionary(fc.string(), fc.string(), { maxKeys: 3 }),
  fc.constantFrom({ toString: '0x' }, { __proto__: null, length: 2 }, [[[]]]),
)

const long = fc.tuple(
  fc.constantFrom('0', 'f', 'usdc', '0x02', '\u202e', '𝄞'),
  fc.integer({ min: 2_000, max: 20_000 }),
)
const longText = long.map(([part, times]) => part.repeat(times))

const otherAddress = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`)

const wrongNumber = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '-1',
    '+36',
    '36,0',
    '0x24',
    '3.6e1',
    'NaN',
    'Infinity',
    '٣٦',
    '.012',
    '0.',
    '1_000',
  ),
  fc.string({ maxLength: 20 }).filter((text) => !/^\d+(\.\d+)?$/.test(text)),
)

/** Returns an honest answer for another buyer's order. */
const ofAnother = ({ isToken, make }: Scenario, id: string): Order => ({
  ...make({
    data: isToken
      ? transfer(getDepositAddress(contracts.depositFactory, id))
      : routerPay(toOrderReference(id)),
  }),
  orderId: id,
})

/** Changes of what the order says, by kind. */
export const orderMutations = (scenario: Scenario): Record<string, fc.Arbitrary<Mutation>> => {
  const { order, isToken, make } = scenario
  const total = order.quote.totalPrice as Amount
  const priced = (totalPrice: Amount): Order => withQuote(order, { totalPrice })
  const otherNumber = fc
    .tuple(fc.nat(1_000), fc.nat(999_999))
    .map(([whole, fraction]) => `${whole}.${fraction}1`)
    .filter((amount) => Number(amount) !== Number(total.amount))
  const otherCurrency = fc
    .oneof(
      fc.constantFrom(
        'eth',
        'usdc',
        'usdxm',
        'pol',
        'avax',
        'usdt',
        'constructor',
        '__proto__',
        'toString',
        '',
      ),
      fc.string({ maxLength: 12 }),
    )
    .filter((currency) => currency.toLowerCase() !== total.currency)
  const otherChain = fc
    .oneof(
      fc.constantFrom(
        'base',
        'ethereum',
        'polygon',
        'solana',
        'constructor',
        '__proto__',
        'BASE-SEPOLIA',
        '',
      ),
      fc.string({ maxLength: 12 }),
    )
    .filter(differs('base-sepolia'))
  const anywhere = fc.constantFrom(...required, ...optional)
  return {
    'total alone': fc.oneof(otherNumber, wrongNumber).map((amount) => always(priced({ ...total, amount }))),
    'currency of the total alone': otherCurrency.map((currency) => always(priced({ ...total, currency }))),
    'currency of the payment alone': otherCurrency.map((currency) =>
      always(withPayment(order, { currency })),
    ),
    'currency of both': otherCurrency.map((currency) =>
      always(withPayment(priced({ ...total, currency }), { currency })),
    ),
    'chain of the preparation alone': otherChain.map((chain) => always(withPreparation(order, { chain }))),
    'method alone': fc
      .constantFrom('base', 'ethereum', 'ethereum-sepolia', 'polygon', 'zora', 'optimism-sepolia')
      .map((method) => always(withPayment(order, { method }))),
    'everything on another chain': fc
      .constantFrom(['base', 8453] as const, ['ethereum', 1] as const, ['optimism', 10] as const)
      .map(([chain, chainId]) => {
        const moved = make({ chainId })
        return always(withPreparation(withPayment(moved, { method: chain }), { chain }))
      }),
    payer: fc
      .oneof(otherAddress, fc.constantFrom('', '0x', 'me'), fc.string())
      .map((payerAddress) => always(withPreparation(order, { payerAddress }))),
    'another order': fc.uuid().map((id) => always(ofAnother(scenario, id))),
    'id alone': fc.oneof(fc.uuid(), fc.string()).map((id) => always({ ...order, orderId: id })),
    'another price, well prepared': fc.integer({ min: 1, max: 2 ** 40 }).map((more) => {
      const units = (isToken ? 36_000_000n : 12_000_000_000_000_000n) + BigInt(more)
      const digits = units.toString().padStart(19, '0')
      const decimals = isToken ? 6 : 18
      const amount = `${digits.slice(0, -decimals).replace(/^0+(?=\d)/, '')}.${digits.slice(-decimals)}`
      const deposit = getDepositAddress(contracts.depositFactory, order.orderId)
      const prepared = make(isToken ? { data: transfer(deposit, units) } : { value: units })
      return { ...always(withQuote(prepared, { totalPrice: { ...total, amount } })), total }
    }),
    'missing field': fc.constantFrom(...required).map((path) => always(change(order, path, undefined))),
    'wrong type': fc
      .tuple(anywhere, notText)
      .filter(([path, value]) => !(path[0] === 'lineItems' && Array.isArray(value) && value.length === 0))
      // It is left out, then.
      .filter(([path, value]) => value !== null || !optional.includes(path))
      .map(([path, value]) => always(change(order, path, value))),
    'no order at all': fc.oneof(notText, fc.string()).map(always),
    'oversized field': fc
      .tuple(fc.constantFrom(...texts), longText)
      .map(([path, value]) => always(change(order, path, value))),
  }
}
