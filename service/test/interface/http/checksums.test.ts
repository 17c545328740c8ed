import { beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createShop, ordersPath, testPayer } from '../../helpers/createShop.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const right = testPayer
/** The same account with one letter in the other case. */
const wrong = right.replace('C', 'c')
const fault = `${wrong}: its checksum is wrong, so it may be mistyped. The right spelling is ${right}`

const base = '/api/2022-06-09'
const collections = `${base}/collections`
const wallets = `${base}/wallets`
const payment = { method: 'base-sepolia', currency: 'eth' }
const goods = { collectionLocator: 'kassa:prints' }
const collection = {
  chain: 'base-sepolia',
  metadata: { name: 'Medals', imageUrl: 'https://shop.example/a.png' },
}
const metadata = { name: 'Gold', image: 'https://shop.example/a.png', description: 'First place' }
const user = 'userId:ada'
const balances = (locator: string): string => `/api/v1-alpha2/wallets/${locator}/balances`
const transactions = (type: string): string => `${wallets}/${user}:${type}/transactions`
const abi = [
  {
    type: 'function',
    name: 'pay',
    stateMutability: 'nonpayable',
    inputs: [{ name: 'payee', type: 'address' }],
    outputs: [],
  },
]
const contractCall = (address: string, args: readonly string[]) => ({
  address,
  functionName: 'pay',
  abi,
  args,
})
const callsOf = (call: unknown) => ({ params: { chain: 'base-sepolia', calls: [call] } })
const callOf = (call: unknown) => ({ params: { chain: 'base-sepolia', call } })
const phase = { name: 'Friends', startsAt: '2026-01-01T00:00:00Z', allowList: { addresses: [right, wrong] } }

const shop = openBeforeAll(createShop)
let order = ''
beforeAll(async () => {
  order = (await shop.createOrder()).path
  for (const type of ['evm-smart-wallet', 'evm-mpc-wallet']) {
    const { status } = await shop.send('POST', wallets, { body: { type, linkedUser: user } })
    expect(status).toBe(201)
  }
})

/** The list of a wallet's tokens has the message in `error`. */
const Refusal = z.looseObject({ message: z.optional(z.string()), error: z.union([z.boolean(), z.string()]) })

/** A request that has a wrong checksum in one field. `at` is a function where the path is known later. */
type Row = readonly [field: string, method: string, at: string | (() => string), body?: unknown]

const rows: readonly Row[] = [
  [
    'recipient.walletAddress',
    'POST',
    ordersPath,
    { recipient: { walletAddress: wrong }, payment, lineItems: goods },
  ],
  [
    'payment.payerAddress',
    'POST',
    ordersPath,
    { payment: { ...payment, payerAddress: wrong }, lineItems: goods },
  ],
  [
    'payment.refundAddress',
    'POST',
    ordersPath,
    { payment: { ...payment, refundAddress: wrong }, lineItems: goods },
  ],
  ['recipient.walletAddress', 'PATCH', () => order, { recipient: { walletAddress: wrong } }],
  ['payment.payerAddress', 'PATCH', () => order, { payment: { ...payment, payerAddress: wrong } }],
  ['payment.refundAddress', 'PATCH', () => order, { payment: { ...payment, refundAddress: wrong } }],
  ['payment.refundAddress', 'PATCH', () => order, { payment: { refundAddress: wrong } }],
  ['payerAddress', 'GET', () => `${order}/payment-options?payerAddress=${wrong}`],
  [
    'payments.recipientAddress',
    'POST',
    collections,
    { ...collection, payments: { price: '1', recipientAddress: wrong } },
  ],
  [
    'payments.recipientAddress',
    'PUT',
    `${collections}/medals`,
    { ...collection, payments: { price: '1', recipientAddress: wrong } },
  ],
  ['payments.recipientAddress', 'PATCH', `${collections}/prints`, { payments: { recipientAddress: wrong } }],
  [
    'sale.phases[0].allowList.addresses[1]',
    'POST',
    collections,
    { ...collection, payments: { price: '1' }, sale: { phases: [phase] } },
  ],
  ['sale.phases[0].allowList.addresses[1]', 'PATCH', `${collections}/prints`, { sale: { phases: [phase] } }],
  ['recipient', 'POST', `${collections}/prints/nfts`, { recipient: `base-sepolia:${wrong}`, metadata }],
  ['recipient', 'PUT', `${collections}/prints/nfts/one`, { recipient: `base-sepolia:${wrong}`, metadata }],
  [
    'config.adminSigner.address',
    'POST',
    wallets,
    { type: 'evm-smart-wallet', config: { adminSigner: { type: 'evm-keypair', address: wrong } } },
  ],
  ['walletLocator', 'GET', `${wallets}/${wrong}`],
  ['walletLocator', 'GET', balances(wrong)],
  ['walletLocator', 'POST', balances(wrong), { amount: 1, token: 'usdxm', chain: 'base-sepolia' }],
  ['walletLocator', 'GET', `${wallets}/${wrong}/transactions`],
  [
    'params.calls[0].to',
    'POST',
    transactions('evm-smart-wallet'),
    callsOf({ to: wrong, value: '0', data: '0x' }),
  ],
  [
    'params.calls[0].address',
    'POST',
    transactions('evm-smart-wallet'),
    callsOf(contractCall(wrong, [right])),
  ],
  [
    'params.calls[0].args[0]',
    'POST',
    transactions('evm-smart-wallet'),
    callsOf(contractCall(right, [wrong])),
  ],
  ['params.call.to', 'POST', transactions('evm-mpc-wallet'), callOf({ to: wrong, value: '0', data: '0x' })],
  ['params.call.address', 'POST', transactions('evm-mpc-wallet'), callOf(contractCall(wrong, [right]))],
  ['params.call.args[0]', 'POST', transactions('evm-mpc-wallet'), callOf(contractCall(right, [wrong]))],
  ['identifier', 'GET', `${wallets}/base-sepolia:${wrong}/nfts`],
  ['nftLocator', 'GET', `/api/v1-alpha1/nfts/base-sepolia:${wrong}:1/credentials`],
]

const requests = rows.map(([field, method, at, body]) => ({ field, method, at, body }))

test.each(requests)('error: $field of $method $at', async ({ field, method, at, body }) => {
  const path = typeof at === 'function' ? at() : at
  const response = await shop.send(method, path, { body })
  expect(response.status).toBe(400)
  const { message, error } = z.parse(Refusal, await response.json())
  expect(message ?? `${error}`).toContain(`${field}: ${fault}`)
})

describe('behavior: no address of a request is missing from the table', () => {
  const Document = z.looseObject({
    paths: z.record(z.string(), z.record(z.string(), z.unknown())),
    components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
  })
  const isRecord = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null

  test('fields of bodies and queries whose pattern accepts an EVM address', async () => {
    const document = z.parse(Document, await (await shop.app.request('/openapi.json')).json())
    const takesOnlyAddresses = ({ pattern }: Record<string, unknown>): boolean =>
      typeof pattern === 'string' && new RegExp(pattern).test(right) && !new RegExp(pattern).test('0x1234')
    const found = new Set<string>()
    const visit = (value: unknown, name: string, seen: readonly string[]): void => {
      if (!isRecord(value)) return
      const reference = typeof value.$ref === 'string' ? value.$ref.split('/').at(-1) : undefined
      if (reference !== undefined && !seen.includes(reference)) {
        visit(document.components.schemas[reference], name, [...seen, reference])
      }
      if (takesOnlyAddresses(value)) found.add(name)
      for (const [key, inner] of Object.entries(value)) {
        const isName = !['properties', 'items', 'anyOf', 'oneOf', 'allOf', 'schema', 'content'].includes(key)
        visit(inner, isName && !/^\d+$|\//.test(key) ? key : name, seen)
      }
    }
    for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
      if (!isRecord(operation)) continue
      visit(operation.requestBody, 'body', [])
      const parameters = Array.isArray(operation.parameters) ? operation.parameters : []
      for (const parameter of parameters) visit(parameter, String(parameter.name), [])
    }
    const inTable = new Set(
      rows.map(([field]) =>
        field
          .replaceAll(/\[\d+\]/g, '')
          .split('.')
          .at(-1),
      ),
    )
    expect([...found].filter((name) => !inTable.has(name))).toEqual([])
    expect(found.size).toBeGreaterThan(3)
  })
})
