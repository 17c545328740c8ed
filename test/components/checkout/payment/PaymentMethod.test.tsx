import { act, fireEvent, screen, within } from '@testing-library/react'
import { Checkout, type CheckoutValue } from 'kassa'
import type { ReactElement } from 'react'
import { describe, expect, type Mock, onTestFinished, test, vi } from 'vitest'
import { listPaymentOptions } from '../../../../src/components/checkout/payment/listPaymentOptions.js'
import { buyer, order } from '../../../../stories/fixtures/build.js'
import { createCheckout } from '../../../../stories/fixtures/checkout.js'
import { type OrderName, orders } from '../../../../stories/fixtures/orders.js'
import { type StepName, steps } from '../../../../stories/fixtures/steps.js'
import { connectedBuyer, Wallet } from '../../../../stories/fixtures/wallet.js'
import { describeConformance } from '../../../conformance.js'
import { mount } from '../../mount.js'

const noChange = () => {}

describeConformance({
  name: 'PaymentMethod',
  part: (props) => (
    <Wallet>
      <Checkout.PaymentMethod {...props} />
    </Wallet>
  ),
  value: createCheckout(orders.awaitingPaymentNative, { edit: noChange, isEditing: true }),
  tag: 'select',
  data: { 'data-method': 'base-sepolia', 'data-currency': 'eth', 'data-pending': '' },
})

/** The known tokens load asynchronously. */
const load = () => act(() => vi.dynamicImportSettled())
const show = async (value: CheckoutValue, part: ReactElement = <Checkout.PaymentMethod />) => {
  const mounted = mount(value, <Wallet account={connectedBuyer}>{part}</Wallet>)
  await load()
  return mounted
}
const select = (): HTMLSelectElement => screen.getByRole('combobox', { name: 'Pay with' })
const options = () => within(select()).getAllByRole('option')
const choose = (value: string) => fireEvent.change(select(), { target: { value } })

test('default', async () => {
  const edit = vi.fn()
  await show(createCheckout(orders.awaitingPaymentNative, { edit }))
  expect(options().map((option) => option.textContent)).toEqual([
    'ETH on Base Sepolia',
    'USDC on Base Sepolia',
    'POL on Polygon Amoy',
    'USDC on Polygon Amoy',
  ])
  expect(select().value).toBe('base-sepolia:eth')
  choose('polygon-amoy:usdc')
  const payment = { method: 'polygon-amoy', currency: 'usdc', payerAddress: buyer }
  expect(edit).toHaveBeenCalledExactlyOnceWith({ payment })
})

test('behavior: the native currencies and the order’s own choice are there before the known tokens are', async () => {
  mount(
    createCheckout(orders.awaitingPaymentUsdc),
    <Wallet account={connectedBuyer}>
      <Checkout.PaymentMethod />
    </Wallet>,
  )
  const values = () => options().map((option) => option.getAttribute('value'))
  expect(values()).toEqual(['base-sepolia:eth', 'polygon-amoy:pol', 'polygon-amoy:usdc'])
  await load()
  expect(values()).toEqual(['base-sepolia:eth', 'base-sepolia:usdc', 'polygon-amoy:pol', 'polygon-amoy:usdc'])
  expect(select().value).toBe('polygon-amoy:usdc')
})

test('behavior: where the order tells no payer, the connected account pays', async () => {
  const edit = vi.fn()
  await show(createCheckout(orders.requiresPayer, { edit }))
  choose('base-sepolia:usdc')
  expect(edit.mock.lastCall?.[0].payment.payerAddress).toBe(connectedBuyer)
})

test('behavior: without a wallet no payer is set', async () => {
  const edit = vi.fn()
  mount(
    createCheckout(orders.requiresPayer, { edit }),
    <Wallet>
      <Checkout.PaymentMethod />
    </Wallet>,
  )
  await load()
  choose('base-sepolia:usdc')
  expect(edit).toHaveBeenCalledExactlyOnceWith({ payment: { method: 'base-sepolia', currency: 'usdc' } })
})

test('behavior: USDXM is offered only where there is no USDC', () => {
  const token = { address: `0x${'ab'.repeat(20)}`, decimals: 6 } as const
  const tables = [{ 'base-sepolia': { usdxm: token, usdc: token }, 'polygon-amoy': { usdxm: token } }]
  const own = { method: 'base-sepolia', currency: 'eth' } as const
  const chains = [{ id: 84_532 }, { id: 80_002 }]
  const listed = listPaymentOptions({ chains }, tables, undefined, own)
  expect(listed.map(({ method, currency }) => `${method}:${currency}`)).toEqual([
    'base-sepolia:eth',
    'base-sepolia:usdc',
    'polygon-amoy:pol',
    'polygon-amoy:usdxm',
  ])
})

test('behavior: main networks and test networks never mix', async () => {
  await show(createCheckout(order({ payment: { method: 'base' } })))
  expect(options().map((option) => option.textContent)).toEqual(['ETH on Base', 'USDC on Base'])
})

test('behavior: the order’s own choice is there, known or not', async () => {
  await show(createCheckout(order({ payment: { method: 'solana', currency: 'SOL' } })))
  expect(select().value).toBe('solana:sol')
  expect(options()).toHaveLength(1)
  expect(options().at(-1)?.textContent).toBe('SOL on Solana')
})

test('parameters: options', async () => {
  const edit = vi.fn()
  const choices = [
    { method: 'base-sepolia', currency: 'usdxm' },
    { method: 'base-sepolia', currency: 'usdc' },
  ] as const
  await show(
    createCheckout(orders.awaitingPaymentNative, { edit }),
    <Checkout.PaymentMethod options={choices} />,
  )
  expect(options().map((option) => option.textContent)).toEqual([
    'USDXM on Base Sepolia',
    'USDC on Base Sepolia',
    'ETH on Base Sepolia',
  ])
})

test('behavior: shows what is asked for while it is, and falls back when it is refused', async () => {
  const at = (changes: Partial<CheckoutValue>) =>
    createCheckout(orders.awaitingPaymentNative, { edit: noChange, ...changes })
  const { show: showNext } = await show(at({}))
  choose('base-sepolia:usdc')
  showNext(at({ isEditing: true }))
  expect(select().value).toBe('base-sepolia:usdc')
  showNext(at({}))
  expect(select().value).toBe('base-sepolia:eth')
  // Another part changes the order: the refused choice has nothing to do with it.
  showNext(at({ isEditing: true }))
  expect(select().value).toBe('base-sepolia:eth')
})

describe('behavior: by keyboard a closed list goes through every choice', () => {
  const at = (changes: Partial<CheckoutValue>) => createCheckout(orders.awaitingPaymentNative, changes)
  const press = (value: string) => {
    fireEvent.keyDown(select(), { key: 'ArrowDown' })
    choose(value)
  }
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
  const start = async () => {
    const edit = vi.fn()
    const mounted = await show(at({ edit }))
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    return { edit, ...mounted }
  }
  const sent = (edit: Mock): unknown[] =>
    edit.mock.calls.map(([{ payment }]) => payment.method + payment.currency)

  test('and the one that is stopped at changes the order', async () => {
    const { edit } = await start()
    press('base-sepolia:usdc')
    expect(select().value).toBe('base-sepolia:usdc')
    await pass(399)
    press('polygon-amoy:pol')
    await pass(399)
    expect(sent(edit)).toEqual([])
    expect(select().value).toBe('polygon-amoy:pol')
    await pass(1)
    expect(sent(edit)).toEqual(['polygon-amoypol'])
    await pass(5_000)
    expect(sent(edit)).toHaveLength(1)
  })

  test.each<[string, () => void]>([
    ['Enter', () => fireEvent.keyDown(select(), { key: 'Enter' })],
    ['who leaves it', () => fireEvent.blur(select())],
  ])('%s does not wait', async (_, act) => {
    const { edit } = await start()
    press('base-sepolia:usdc')
    act()
    expect(sent(edit)).toEqual(['base-sepoliausdc'])
    await pass(5_000)
    expect(sent(edit)).toHaveLength(1)
  })

  test('and a further choice during a change counts last', async () => {
    const { edit, show: showNext } = await start()
    press('base-sepolia:usdc')
    await pass(400)
    showNext(at({ edit, isEditing: true }))
    press('polygon-amoy:pol')
    await pass(1_000)
    expect(sent(edit)).toEqual(['base-sepoliausdc'])
    expect(select().value).toBe('polygon-amoy:pol')
    showNext(at({ edit }))
    expect(select().value).toBe('polygon-amoy:pol')
    await pass(400)
    expect(sent(edit)).toEqual(['base-sepoliausdc', 'polygon-amoypol'])
  })

  test('and a pointer chooses at once', async () => {
    const { edit } = await start()
    press('base-sepolia:usdc')
    fireEvent.pointerDown(select())
    choose('polygon-amoy:pol')
    expect(sent(edit)).toEqual(['polygon-amoypol'])
    await pass(5_000)
    expect(sent(edit)).toHaveLength(1)
  })

  test('and none that is gone', async () => {
    const { edit, unmount } = await start()
    press('base-sepolia:usdc')
    unmount()
    await pass(5_000)
    expect(edit).not.toHaveBeenCalled()
  })
})

describe('behavior: changes nothing, and says so', () => {
  const cases: [OrderName, StepName, Partial<CheckoutValue>][] = [
    ['awaitingPaymentNative', 'awaitingSignature', {}],
    ['awaitingPaymentNative', 'broadcast', {}],
    ['awaitingPaymentNative', 'uncertain', {}],
    ['awaitingPaymentNative', 'idle', { isEditing: true }],
    ['underpaid', 'idle', {}],
  ]
  test.each(cases)('%s, %s, %j', async (name, step, changes) => {
    const edit = vi.fn()
    await show(createCheckout(orders[name], { edit, step: steps[step], ...changes }))
    expect(select().getAttribute('aria-disabled')).toBe('true')
    choose('base-sepolia:usdc')
    expect(edit).not.toHaveBeenCalled()
    expect(select().value).toBe('base-sepolia:eth')
  })
})

describe('behavior: absent when there is nothing to choose any more', () => {
  const absent: OrderName[] = ['paymentInProgress', 'delivering', 'completed']
  test.each(absent)('%s', async (name) => {
    await show(createCheckout(orders[name]))
    expect(screen.queryByRole('combobox')).toBe(null)
  })
})

test('behavior: once a part of the price was paid, only the way in which it was paid is there', async () => {
  const edit = vi.fn()
  await show(createCheckout(orders.underpaid, { edit }))
  expect(options().map((option) => option.textContent)).toEqual(['ETH on Base Sepolia'])
  expect(select().getAttribute('aria-disabled')).toBe('true')
})
