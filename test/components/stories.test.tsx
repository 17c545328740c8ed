import { readdirSync } from 'node:fs'
import { Checkout, type CheckoutValue } from 'kassa'
import { expect, test } from 'vitest'
import { checkPayment } from '../../src/chain/index.js'
import { members, type Order } from '../../src/schema/index.js'
import * as orderStates from '../../stories/checkout/OrderStates.stories.js'
import * as payErrorStories from '../../stories/checkout/PayErrors.stories.js'
import * as paySteps from '../../stories/checkout/PaySteps.stories.js'
import { orders } from '../../stories/fixtures/orders.js'
import { type PayErrorName, payErrors } from '../../stories/fixtures/payErrors.js'
import { plainSteps, steps } from '../../stories/fixtures/steps.js'
import { errorCodes } from '../helpers/errorCodes.js'

const toStory = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

test('behavior: every order state has its story', () => {
  expect(Object.keys(orderStates)).toEqual(expect.arrayContaining(Object.keys(orders).map(toStory)))
})

/** Every open enumeration of an order: the members this version knows, and what stands in an order. */
const enumerations: [
  name: string,
  members: readonly string[],
  read: (order: Order) => (string | undefined)[],
][] = [
  ['phase', members.phases, ({ phase }) => [phase]],
  ['quote.status', members.quoteStatuses, ({ quote }) => [quote.status]],
  [
    'lineItems[].quote.status',
    members.lineItemQuoteStatuses,
    ({ lineItems }) => lineItems.map(({ quote }) => quote.status),
  ],
  [
    'payment.status',
    [...members.paymentStatuses, ...members.foreignPaymentStatuses],
    ({ payment }) => [payment.status],
  ],
  ['payment.failureReason.code', members.paymentFailureCodes, ({ payment }) => [payment.failureReason?.code]],
  [
    'lineItems[].delivery.status',
    members.deliveryStatuses,
    ({ lineItems }) => lineItems.map(({ delivery }) => delivery.status),
  ],
]

test.each(enumerations)('behavior: the orders show every %s, and one of the future', (_, members, read) => {
  const told = new Set(Object.values(orders).flatMap(read))
  expect([...told]).toEqual(expect.arrayContaining([...members]))
  expect([...told].filter((member) => member !== undefined && !members.includes(member))).toHaveLength(1)
})

test('behavior: the orders show every way money comes back and goods arrive', () => {
  const all = Object.values<Order>(orders)
  const tokens = all.flatMap(({ lineItems }) => lineItems.flatMap(({ delivery }) => delivery.tokens ?? []))
  expect(tokens.some(({ tokenId, contractAddress }) => tokenId && contractAddress)).toBe(true)
  expect(tokens.some(({ mintHash }) => mintHash)).toBe(true)
  const returned = all.filter(({ payment }) => payment.refunded)
  const states = returned.map(({ phase, lineItems }) => [
    phase,
    ...new Set(lineItems.map(({ delivery }) => delivery.status)),
  ])
  expect(states).toEqual(
    expect.arrayContaining([
      ['payment', 'awaiting-payment'],
      ['quote', 'awaiting-payment'],
      ['completed', 'completed'],
      ['completed', 'completed', 'failed'],
      ['completed', 'failed'],
    ]),
  )
})

test('behavior: every pay step has its story', () => {
  expect(Object.keys(paySteps)).toEqual(
    expect.arrayContaining([...Object.keys(plainSteps), 'uncertain', 'failed'].map(toStory)),
  )
})

/** What went wrong in a story of the whole checkout. */
const codeOf = (story: unknown): string | undefined => {
  const { args } = story as { args?: { value?: CheckoutValue } }
  const step = args?.value?.step
  return step && 'error' in step ? step.error.code : undefined
}

test('behavior: every payment error has its story, and the story shows that error', () => {
  const told = Object.entries<unknown>(payErrorStories).map(([name, story]) => [name, codeOf(story)])
  const wanted = Object.entries(payErrors).map(([name, { code }]) => [toStory(name), code])
  expect(told).toEqual(expect.arrayContaining(wanted))
  const codes = errorCodes.filter((code) => code.startsWith('pay.'))
  expect(codes.length).toBeGreaterThan(20)
  expect(told.map(([, code]) => code)).toEqual(expect.arrayContaining(codes))
})

test('behavior: a fixture stands at the step its error leads to', () => {
  for (const [name, { code }] of Object.entries(payErrors)) {
    const isUncertain = code === 'pay.uncertain' || code === 'pay.dropped'
    expect(steps[name as PayErrorName].status).toBe(isUncertain ? 'uncertain' : 'failed')
  }
})

test('behavior: every part has its stories', () => {
  const files = readdirSync('stories', { recursive: true }).map(String)
  const told = files.flatMap((file) => /(\w+)\.stories\.tsx$/.exec(file)?.[1] ?? [])
  expect(told).toEqual(expect.arrayContaining(Object.keys(Checkout)))
})

test('behavior: an order that waits for its payment in a story would pass the checks', () => {
  expect(checkPayment(orders.awaitingPaymentNative, {})).toMatchObject({
    chain: 'base-sepolia',
    currency: 'eth',
  })
})
