import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { Checkout, CheckoutProvider, type CheckoutValue, createClient } from 'kassa'
import { type ComponentProps, StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { apiError } from '../../../src/errors/index.js'
import { buyer, item, order, txId } from '../../../stories/fixtures/build.js'
import { createCheckout } from '../../../stories/fixtures/checkout.js'
import { createScriptedFetch } from '../../../stories/fixtures/fetch.js'
import { type OrderName, orders } from '../../../stories/fixtures/orders.js'
import { discounted, limitReached, opensAt, saleNotStarted } from '../../../stories/fixtures/sale.js'
import { type StepName, steps } from '../../../stories/fixtures/steps.js'
import { contracts, Wallet } from '../../../stories/fixtures/wallet.js'
import * as stories from '../../../stories/panel/Panel.stories.js'
import { hydrate } from '../../helpers/hydrate.js'

afterEach(cleanup)

const inWallet = (
  props: Checkout.Panel.Props,
  wallet: Omit<ComponentProps<typeof Wallet>, 'children'> = {},
) => (
  <StrictMode>
    <Wallet account={buyer} {...wallet}>
      <Checkout.Panel {...props} />
    </Wallet>
  </StrictMode>
)

const show = (name: OrderName, changes: Partial<CheckoutValue> = {}) =>
  createCheckout(orders[name], { edit: () => {}, ...changes })

const wanted = [
  'recipient-form',
  'address-form',
  'email-form',
  'refund-form',
  'payment-method',
  'wallets',
  'error',
  'pay',
]
const told = ['total', 'expiry', 'progress', 'payer', 'disconnect', 'receipt']

/** Which of the parts that come and go are there, as they follow each other. */
const listParts = (): string[] => {
  const shown = [...document.querySelectorAll<HTMLElement>('[data-kassa]')]
  return shown.flatMap(({ dataset: { kassa = '' } }) => ([...wanted, ...told].includes(kassa) ? [kassa] : []))
}

test('default', () => {
  render(inWallet({ value: show('awaitingPaymentNative') }))
  const panel = screen.getByRole('region', { name: 'Your order' })
  expect({ ...panel.dataset }).toEqual({ kassa: 'root', stage: 'ready-to-pay', step: 'idle' })
  expect(screen.getByRole('heading', { name: 'Your order' }).parentElement).toBe(panel)
})

describe('behavior: shows whom an order is for, unless that is the account that pays', () => {
  const stranger = `0x${'ab'.repeat(20)}`
  type Recipient = NonNullable<(typeof orders.completed.lineItems)[number]['delivery']['recipient']>
  const showTo = (recipients: Recipient[], name: OrderName = 'awaitingPaymentNative', edit = vi.fn()) => {
    const { lineItems, ...rest } = orders[name]
    const [first] = lineItems
    if (!first) throw new Error('no line item')
    const items = recipients.map((recipient) => ({ ...first, delivery: { ...first.delivery, recipient } }))
    return createCheckout({ ...rest, lineItems: items }, { edit })
  }
  const email = { email: 'ada@example.com', walletAddress: buyer }
  const told = () => document.querySelector('[data-kassa="recipient"]')?.textContent
  const toldOfItems = () =>
    [...document.querySelectorAll('[data-kassa="item-recipient"]')].map((each) => each.textContent)

  test('the payer', () => {
    render(inWallet({ value: showTo([{ walletAddress: buyer }]) }))
    expect([told(), toldOfItems()]).toEqual([undefined, []])
  })

  test('one for all line items', () => {
    render(inWallet({ value: showTo([email, email]) }))
    expect([told(), toldOfItems()]).toEqual(['Goes to ada@example.com Change', []])
  })

  test('an address', () => {
    render(inWallet({ value: showTo([{ walletAddress: stranger }]) }))
    expect(told()).toBe('Goes to 0xabab…abab Change')
    expect(screen.getByTitle(stranger)).toBeTruthy()
  })

  test('one for each line item', () => {
    render(inWallet({ value: showTo([email, { walletAddress: stranger }]) }))
    expect([told(), toldOfItems()]).toEqual([undefined, ['ada@example.com', '0xabab…abab']])
  })

  test('while it may no longer be changed', () => {
    render(inWallet({ value: showTo([email], 'paymentInProgress') }))
    expect(told()).toBe('Goes to ada@example.com')
  })

  test('the buyer changes it, and the form closes once it is saved', () => {
    const edit = vi.fn()
    const value = showTo([email], undefined, edit)
    const { rerender } = render(inWallet({ value }))
    expect(screen.queryByRole('textbox')).toBe(null)
    fireEvent.click(screen.getByText('Change'))
    const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'E-mail or wallet address' })
    expect(field.value).toBe('ada@example.com')
    fireEvent.change(field, { target: { value: stranger } })
    fireEvent.click(screen.getByRole('button', { name: 'Continue' }))
    expect(edit.mock.calls).toEqual([[{ recipient: { walletAddress: stranger } }]])
    rerender(inWallet({ value: { ...value, isEditing: true } }))
    expect(screen.getByRole('textbox')).toBeTruthy()
    rerender(inWallet({ value: showTo([{ walletAddress: stranger }]) }))
    expect(screen.queryByRole('textbox')).toBe(null)
    expect(told()).toBe('Goes to 0xabab…abab Change')
    expect(document.activeElement).toBe(screen.getByTitle(stranger))
  })

  test('a change of something else leaves the form as it is', () => {
    const value = showTo([email])
    const { rerender } = render(inWallet({ value }))
    fireEvent.click(screen.getByText('Change'))
    fireEvent.change(screen.getByRole('textbox'), { target: { value: 'bea@' } })
    // What is wrong is not sent.
    fireEvent.click(screen.getByRole('button', { name: 'Continue' }))
    rerender(inWallet({ value: { ...value, isEditing: true } }))
    rerender(inWallet({ value }))
    expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('bea@')
  })

  test('a change that is refused stays in the form, with the reason', () => {
    const value = showTo([email])
    const { rerender } = render(inWallet({ value }))
    fireEvent.click(screen.getByText('Change'))
    fireEvent.click(screen.getByRole('button', { name: 'Continue' }))
    rerender(inWallet({ value: { ...value, isEditing: true } }))
    const message = 'recipient.email: not an e-mail address'
    const editError = apiError('api.bad-request', { status: 400, message })
    rerender(inWallet({ value: { ...value, editError } }))
    expect(screen.getByRole('textbox').getAttribute('aria-invalid')).toBe('true')
  })
})

test('parameters: fallback, for an order of which nothing can be bought', () => {
  const fallback = <a href="/">All editions</a>
  render(inWallet({ value: show('awaitingPaymentNative'), fallback }))
  expect(screen.queryByRole('link', { name: 'All editions' })).toBe(null)
  cleanup()
  render(inWallet({ value: show('allUnavailable'), fallback }))
  expect(screen.getByRole('link', { name: 'All editions' })).toBeTruthy()
  expect(screen.getByRole('region').hasAttribute('fallback')).toBe(false)
})

describe('behavior: offers to pay from another device', () => {
  const offer = () => screen.queryByText('Pay from another device')

  test('draws the code once it is opened', async () => {
    render(inWallet({ value: show('awaitingPaymentUsdc') }, { contracts }))
    expect(screen.queryByRole('img', { name: /^QR code/ })).toBe(null)
    fireEvent.click(await screen.findByText('Pay from another device'))
    await screen.findByRole('img', { name: /^QR code to pay 1249.5/ })
  })

  test('without a wallet in the browser', () => {
    render(inWallet({ value: show('requiresPayer') }, { contracts, account: undefined }))
    expect(offer()).toBeTruthy()
  })

  test('not where nothing says whom to pay', () => {
    render(inWallet({ value: show('awaitingPaymentUsdc') }))
    expect(offer()).toBe(null)
  })

  test.each<OrderName>(['requiresRecipient', 'expired', 'paymentInProgress', 'completed'])(
    'not at %s',
    (name) => {
      render(inWallet({ value: show(name) }, { contracts }))
      expect(offer()).toBe(null)
    },
  )

  test('not while a payment may be on its way', () => {
    render(inWallet({ value: show('awaitingPaymentUsdc', { step: steps.confirming }) }, { contracts }))
    expect(offer()).toBe(null)
  })
})

test('parameters: orderId, clientSecret', async () => {
  const fetch = createScriptedFetch([orders.completed])
  const client = createClient({ baseUrl: 'http://127.0.0.1:20001/api', fetch })
  const { orderId } = orders.completed
  render(
    <Wallet>
      <CheckoutProvider client={client}>
        <Checkout.Panel orderId={orderId} clientSecret="secret-of-this-order" />
      </CheckoutProvider>
    </Wallet>,
  )
  expect(listParts()).toEqual(['total', 'pay'])
  expect((await screen.findByRole('region', { name: 'Receipt' })).dataset.stage).toBe('completed')
})

test('parameters: what its root takes', () => {
  const ref = vi.fn()
  render(
    inWallet({
      value: show('completed'),
      ref,
      className: ({ stage }) => stage,
      'aria-label': 'Basket',
    }),
  )
  const panel = screen.getByRole('region', { name: 'Basket' })
  expect(panel.className).toBe('completed')
  expect(ref).toHaveBeenCalledWith(panel)
})

const priced = ['total', 'expiry', 'payment-method']
const account = ['payer', 'disconnect']

test('behavior: says where refunds go, once the order names an address', () => {
  const { payment } = orders.awaitingPaymentNative
  const named = { ...payment, refundAddress: '0x12ab00000000000000000000000000000000cd34' }
  const { rerender } = render(
    inWallet({ value: createCheckout({ ...orders.awaitingPaymentNative, payment: named }) }),
  )
  expect(screen.getByText('Refunds go to 0x12ab…cd34').title).toBe(named.refundAddress)
  rerender(inWallet({ value: show('awaitingPaymentNative') }))
  expect(screen.queryByText(/^Refunds go to/)).toBe(null)
})

describe('behavior: each state shows what a buyer needs then', () => {
  test.each<[OrderName, string[]]>([
    ['requiresRecipient', ['recipient-form']],
    ['requiresPhysicalAddress', ['address-form']],
    ['requiresEmail', ['total', 'expiry', 'email-form']],
    ['requiresPayer', [...priced, ...account]],
    ['awaitingPaymentNative', [...priced, 'pay', ...account]],
    ['insufficientFunds', [...priced, 'pay', ...account]],
    ['expired', ['total', 'pay']],
    ['allUnavailable', []],
    ['underpaid', [...priced, 'pay', ...account]],
    ['underpaidRefunded', ['total', 'pay']],
    ['refundNeedsAddress', ['total', 'refund-form', 'pay']],
    ['paymentInProgress', ['total', 'progress']],
    ['paymentFailed', ['total']],
    ['partlyDelivered', ['total', 'progress']],
    ['completed', ['total', 'receipt']],
    ['completedWithFailure', ['total', 'receipt']],
    ['unknownFutureState', ['total']],
  ])('%s', (name, parts) => {
    render(inWallet({ value: show(name) }))
    expect(listParts()).toEqual(parts)
    // Where the buyer can pay, the button says so.
    const isSaid = name === 'awaitingPaymentNative'
    expect(screen.getByRole('status').textContent === '').toBe(isSaid)
  })

  test.each<[StepName, string[]]>([
    ['awaitingSignature', ['total', 'payment-method', 'pay', ...account]],
    ['confirming', ['total', 'payment-method', 'pay', ...account]],
    ['rejected', [...priced, 'error', 'pay', ...account]],
    ['uncertain', ['total', 'payment-method', 'error', 'pay', ...account]],
  ])('at the step %s', (step, parts) => {
    render(inWallet({ value: show('awaitingPaymentNative', { step: steps[step] }) }))
    expect(listParts()).toEqual(parts)
  })

  test('before the order has come', () => {
    render(inWallet({ value: createCheckout(undefined) }))
    expect(listParts()).toEqual(['total', 'pay'])
    expect(screen.getByRole('button').getAttribute('aria-disabled')).toBe('true')
  })

  test('no wallet is connected', () => {
    render(inWallet({ value: show('awaitingPaymentNative') }, { account: undefined }))
    expect(listParts()).toEqual([...priced, 'wallets'])
  })

  test('the order cannot be opened', () => {
    const error = apiError('api.not-found', { status: 404, message: 'Not found' })
    render(inWallet({ value: createCheckout(undefined, { error }) }))
    expect(listParts()).toEqual(['error'])
  })
})

describe('behavior: says of what the total is made', () => {
  const eth = (amount: string) => ({ amount, currency: 'eth' })
  const withCharges = (salesTax: string, shipping: string) => {
    const charges = { unit: eth('0.012'), salesTax: eth(salesTax), shipping: eth(shipping) }
    return createCheckout(order({ lineItems: [item({ quote: { charges } })] }))
  }
  const listSums = () => [...document.querySelectorAll('[data-kassa=sum]')].map((sum) => sum.textContent)

  test('taxed and shipped', () => {
    render(inWallet({ value: withCharges('0.002', '0.004') }))
    expect(listSums()).toEqual([
      'Subtotal 0.012\u00a0ETH',
      'Tax 0.002\u00a0ETH',
      'Shipping 0.004\u00a0ETH',
      'Total 0.042\u00a0ETH',
    ])
  })

  test('taxed', () => {
    render(inWallet({ value: withCharges('0.002', '0') }))
    expect(listSums()).toHaveLength(3)
  })

  test('neither', () => {
    render(inWallet({ value: withCharges('0.0', '0') }))
    expect(listSums()).toEqual(['Total 0.042\u00a0ETH'])
  })
})

describe('behavior: of an order with a part of its price', () => {
  const part = orders.underpaid
  const listSums = () => [...document.querySelectorAll('[data-kassa=sum]')].map((sum) => sum.textContent)

  test('the sums say what was paid and what is left', () => {
    render(inWallet({ value: show('underpaid') }))
    expect(listSums()).toEqual(['Total 0.042\u00a0ETH', 'Paid −0.02\u00a0ETH', 'Left to pay 0.022\u00a0ETH'])
  })

  test('nothing is offered that the service refuses', () => {
    const stranger = `0x${'ab'.repeat(20)}`
    const lineItems = part.lineItems.map((each) => ({
      ...each,
      delivery: { ...each.delivery, recipient: { walletAddress: stranger } },
    }))
    render(inWallet({ value: createCheckout({ ...part, lineItems }, { edit: vi.fn() }) }))
    expect(screen.getAllByRole('option')).toHaveLength(1)
    expect(document.querySelector('[data-kassa="recipient"]')?.textContent).toBe('Goes to 0xabab…abab')
  })

  test('the code for the rest is open where no wallet can pay here', async () => {
    const { preparation: _, ...payment } = part.payment
    const value = createCheckout(
      { ...part, payment: { ...payment, status: 'requires-crypto-payer-address' } },
      { edit: vi.fn() },
    )
    render(inWallet({ value }, { contracts, account: undefined }))
    await screen.findByRole('img', { name: /^QR code to pay 0\.022/ })
    expect(document.querySelector('[data-kassa="wallets"]')).toBe(null)
  })
})

describe('behavior: labels no choice that is not there', () => {
  const listLabels = () =>
    [...document.querySelectorAll('[data-kassa=choice]')].map((label) => label.textContent)
  test('a currency can be chosen', () => {
    render(inWallet({ value: show('requiresPayer') }))
    expect(listLabels()).toEqual([expect.stringMatching(/^Pay with /)])
  })
  test.each(['method', 'currency'])('the order tells no %s', (name) => {
    const { payment } = orders.requiresPayer
    const untold = { ...orders.requiresPayer, payment: { ...payment, [name]: undefined } }
    render(inWallet({ value: createCheckout(untold) }))
    expect(listLabels()).toEqual([])
  })
})

test.each<[OrderName, number]>([
  ['underpaidRefunded', 1],
  ['awaitingPaymentNative', 0],
])('behavior: %s leads to what was sent back', (name, count) => {
  render(inWallet({ value: show(name) }))
  const hrefs = screen.queryAllByRole<HTMLAnchorElement>('link').map(({ href }) => href)
  expect(hrefs).toHaveLength(count)
  expect(hrefs.filter((href) => href.endsWith(txId('b')))).toHaveLength(count)
})

test('behavior: says when a sale opens, and then offers a price', () => {
  const refresh = vi.fn()
  const at = (nowMs: number) => createCheckout(saleNotStarted, { refresh, nowMs })
  const { rerender } = render(inWallet({ value: at(Date.parse(opensAt) - 65_000) }))
  expect(screen.getByRole('timer').textContent).toBe('Opens in 1:05')
  expect(screen.getByRole('status').textContent).toBe('This sale has not started yet.')
  expect(listParts()).toEqual([])
  rerender(inWallet({ value: at(Date.parse(opensAt)) }))
  expect(listParts()).toEqual(['pay'])
  fireEvent.click(screen.getByRole('button'))
  expect(refresh).toHaveBeenCalledOnce()
})

test('behavior: says why a rule of the sale refuses the order', () => {
  render(inWallet({ value: createCheckout(limitReached) }))
  expect(screen.getByRole('status').textContent).toBe('You have as many as one buyer can get.')
  expect(document.querySelector('[data-kassa="item-limit"]')?.textContent).toBe(
    'Limit per buyer: 2. Left for you: 0.',
  )
})

test('behavior: a buyer whom a phase is not for can name another recipient', () => {
  const edit = vi.fn()
  const other = `0x${'ab'.repeat(20)}`
  const [line = item()] = limitReached.lineItems
  const refused = {
    ...limitReached,
    lineItems: [
      {
        ...line,
        quote: {
          status: line.quote.status,
          unavailabilityReason: { code: 'not-in-phase' },
          sale: { phase: { name: 'Members', isForAllowList: true } },
        },
      },
    ],
  }
  render(inWallet({ value: createCheckout(refused, { edit }) }))
  expect(screen.getByRole('status').textContent).toBe('Members: only for wallets on its list.')
  fireEvent.click(screen.getByText('Change'))
  fireEvent.change(screen.getByRole('textbox'), { target: { value: other } })
  fireEvent.submit(screen.getByRole('form'))
  expect(edit).toHaveBeenCalledExactlyOnceWith({ recipient: { walletAddress: other } })
})

test('behavior: asks for a promotion code where there are some, and says that one has ended', () => {
  const [line = item()] = discounted.lineItems
  const of = (hasPromotionCodes: boolean, status: 'applied' | 'expired') => ({
    ...discounted,
    lineItems: [{ ...line, quote: { ...line.quote, sale: { hasPromotionCodes } } }],
    quote: { ...discounted.quote, promotion: { code: 'summer-20', status } },
  })
  const { rerender } = render(inWallet({ value: createCheckout(of(false, 'applied')) }))
  expect(screen.queryByRole('form')).toBe(null)
  rerender(inWallet({ value: createCheckout(of(true, 'expired')) }))
  expect(screen.getByRole('form', { name: 'Promotion code' })).toBeDefined()
  expect(document.body.textContent).toContain('Your promotion code no longer applies.')
})

test('behavior: shows a discount among the charges', () => {
  render(inWallet({ value: createCheckout(discounted) }))
  const rows = [...document.querySelectorAll('[data-kassa="sum"]')].map(({ textContent }) =>
    textContent.replace(/\s/g, ' '),
  )
  expect(rows.slice(0, 3)).toEqual(['Subtotal 0.0525 ETH', 'Discount −0.0105 ETH', 'Total 0.042 ETH'])
})

test('behavior: after connecting a wallet the buyer can pay with the next key press', async () => {
  const pay = vi.fn()
  render(inWallet({ value: show('awaitingPaymentNative', { pay }) }, { account: undefined }))
  const wallet = screen.getByRole('button', { name: 'Connect Meadow' })
  wallet.focus()
  fireEvent.click(wallet)
  const button = await screen.findByRole('button', { name: /^Pay 0/ })
  await expect.poll(() => document.activeElement).toBe(button)
})

test('behavior: hydrates what the server rendered', async () => {
  const panel = inWallet({ value: { ...show('awaitingPaymentNative'), nowMs: undefined } })
  const container = document.createElement('div')
  document.body.append(container)
  container.innerHTML = renderToString(panel)
  const onRecoverableError = vi.fn()
  const root = await hydrate(container, panel, { onRecoverableError })
  onTestFinished(() => {
    act(() => root.unmount())
    container.remove()
  })
  expect(onRecoverableError).not.toHaveBeenCalled()
})

test('behavior: every order state has its story', () => {
  const names = Object.keys(orders).map((name) => name.charAt(0).toUpperCase() + name.slice(1))
  expect(Object.keys(stories)).toEqual(expect.arrayContaining(names))
})
