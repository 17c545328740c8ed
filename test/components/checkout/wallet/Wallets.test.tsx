import { fireEvent, screen, waitFor } from '@testing-library/react'
import { Checkout, type CheckoutValue } from 'kassa'
import type { ReactElement } from 'react'
import { UserRejectedRequestError } from 'viem'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createCheckout } from '../../../../stories/fixtures/checkout.js'
import { type OrderName, orders } from '../../../../stories/fixtures/orders.js'
import {
  announced,
  connectedBuyer,
  unnamed,
  Wallet,
  type WalletOptions,
} from '../../../../stories/fixtures/wallet.js'
import { describeConformance } from '../../../conformance.js'
import { mount } from '../../mount.js'
import { createRefusal } from '../createRefusal.js'

const value = createCheckout(orders.requiresPayer)

describeConformance({
  name: 'Wallets',
  takesList: true,
  part: (props) => (
    <Wallet>
      <Checkout.Wallets {...props} />
    </Wallet>
  ),
  value,
  tag: 'div',
  data: { 'data-count': '2' },
})

const show = (checkout: CheckoutValue, options: WalletOptions = {}, part = <Checkout.Wallets />) =>
  mount(checkout, <Wallet {...options}>{part}</Wallet>)

const names = (): (string | null)[] =>
  screen.queryAllByRole('button').map((button) => button.textContent?.trim() ?? null)

const putWalletIntoPage = () => vi.stubGlobal('ethereum', {})

afterEach(() => {
  vi.unstubAllGlobals()
})

test('default', async () => {
  const edit = vi.fn()
  show(createCheckout(orders.requiresPayer, { edit }))
  expect(screen.getByRole('group', { name: 'Connect a wallet to pay' })).toBeTruthy()
  expect(names()).toEqual(['Connect Meadow', 'Connect Harbor'])
  fireEvent.click(screen.getByRole('button', { name: 'Connect Harbor' }))
  await waitFor(() => expect(screen.queryByRole('group')).toBe(null))
  const payment = { method: 'base-sepolia', currency: 'eth', payerAddress: connectedBuyer }
  expect(edit).toHaveBeenCalledExactlyOnceWith({ payment })
})

describe('behavior: connecting changes no order that does not wait for a payer', () => {
  const others: OrderName[] = ['awaitingPaymentNative', 'requiresRecipient', 'expired', 'insufficientFunds']
  test.each(others)('%s', async (name) => {
    const edit = vi.fn()
    show(createCheckout(orders[name], { edit }))
    fireEvent.click(screen.getByRole('button', { name: 'Connect Meadow' }))
    await waitFor(() => expect(screen.queryByRole('group')).toBe(null))
    expect(edit).not.toHaveBeenCalled()
  })
})

test('behavior: a wallet that declines can be asked again, and changes nothing', async () => {
  const edit = vi.fn()
  const refusal = createRefusal(new UserRejectedRequestError(new Error('no')))
  const meadow = announced('Meadow', '#2f855a')
  const connectors: WalletOptions['connectors'] = [
    (config) => ({ ...meadow(config), connect: refusal.connect }),
  ]
  show(createCheckout(orders.requiresPayer, { edit }), { connectors })
  const button = screen.getByRole('button')
  await refusal.press(button)
  expect(button.dataset.failed).toBe(undefined)
  expect(button.textContent?.trim()).toBe('Connect Meadow')
  expect(edit).not.toHaveBeenCalled()
})

describe('behavior: each wallet once', () => {
  test('two that call themselves the same', () => {
    show(value, { connectors: [announced('Meadow', '#111'), announced('meadow', '#222')] })
    expect(names()).toEqual(['Connect Meadow'])
  })
  test('the one without a name when nothing has announced itself', () => {
    putWalletIntoPage()
    show(value, { connectors: [unnamed] })
    expect(names()).toEqual(['Connect Injected'])
  })
  test('not the one without a name beside one that has', () => {
    putWalletIntoPage()
    show(value, { connectors: [unnamed, announced('Meadow', '#111')] })
    expect(names()).toEqual(['Connect Meadow'])
  })
})

test('behavior: without any wallet it says so', () => {
  show(value, { connectors: [unnamed] })
  expect(names()).toEqual([])
  expect(screen.getByRole('group').textContent).toBe('No wallet was found in this browser.')
})

test('behavior: absent while a wallet is connected', () => {
  show(value, { account: connectedBuyer })
  expect(screen.queryByRole('group')).toBe(null)
})

describe('behavior: absent when no payment is due', () => {
  const absent: OrderName[] = ['paymentInProgress', 'delivering', 'completed']
  test.each(absent)('%s', (name) => {
    show(createCheckout(orders[name]))
    expect(screen.queryByRole('group')).toBe(null)
  })
  test('no order yet', () => {
    show(createCheckout(undefined))
    expect(screen.queryByRole('group')).toBe(null)
  })
})

describe('parameters: children', () => {
  const renderWith = (part: ReactElement) => show(value, {}, part)
  test('a function of the wallets', () => {
    renderWith(<Checkout.Wallets>{(wallets) => wallets.map(({ name }) => name).join()}</Checkout.Wallets>)
    expect(screen.getByRole('group').textContent).toBe('Meadow,Harbor')
  })
  test('anything', () => {
    renderWith(<Checkout.Wallets>none</Checkout.Wallets>)
    expect(screen.getByRole('group').textContent).toBe('none')
  })
})

describe('behavior: of an order with a part of its price', () => {
  const { preparation: _, ...payment } = orders.underpaid.payment
  test('none is offered where it names no payer: the rest comes from the other device', () => {
    const status = 'requires-crypto-payer-address'
    show(createCheckout({ ...orders.underpaid, payment: { ...payment, status } }, { edit: () => {} }))
    expect(screen.queryByRole('group')).toBe(null)
  })
  test('they are offered where it names one, who may connect again', () => {
    show(createCheckout(orders.underpaid, { edit: () => {} }))
    expect(screen.getByRole('group')).toBeTruthy()
  })
})
