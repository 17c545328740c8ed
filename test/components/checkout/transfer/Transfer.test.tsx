import { act, fireEvent, screen } from '@testing-library/react'
import { Checkout, type CheckoutValue } from 'kassa'
import type { ReactElement } from 'react'
import { encode } from 'uqr'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createMemoryStorage, createPaymentAttemptStore } from '../../../../src/chain/attemptStore.js'
import { createTransferRequest } from '../../../../src/chain/index.js'
import { createCheckout, nowMs } from '../../../../stories/fixtures/checkout.js'
import { type OrderName, orders } from '../../../../stories/fixtures/orders.js'
import { steps } from '../../../../stories/fixtures/steps.js'
import { contracts, Wallet, type WalletOptions } from '../../../../stories/fixtures/wallet.js'
import { describeConformance } from '../../../conformance.js'
import { mount } from '../../mount.js'

const inUsdc = orders.awaitingPaymentUsdc
const inEth = orders.requiresPayer
const expired = createCheckout(inUsdc, { nowMs: nowMs + 3_600_000 })

describeConformance({
  name: 'Transfer',
  part: (props) => (
    <Wallet contracts={contracts}>
      <Checkout.Transfer {...props} />
    </Wallet>
  ),
  value: expired,
  tag: 'section',
  data: { 'data-status': 'expired', 'data-chain': 'polygon-amoy' },
})

describeConformance({
  name: 'TransferQr',
  part: (props) => (
    <Wallet contracts={contracts}>
      <Checkout.TransferQr {...props} />
    </Wallet>
  ),
  value: createCheckout(inUsdc, { isRefreshing: true }),
  tag: 'div',
  data: { 'data-pending': '' },
})

const load = async () => {
  // The checks, and then the encoder of what they allow.
  await act(() => vi.dynamicImportSettled())
  await act(() => vi.dynamicImportSettled())
}
const show = async (
  value: CheckoutValue,
  options: WalletOptions = {},
  part: ReactElement = <Checkout.Transfer />,
) => {
  const mounted = mount(
    value,
    <Wallet contracts={contracts} {...options}>
      {part}
    </Wallet>,
  )
  await load()
  return mounted
}
const requestOf = (order: typeof inUsdc) => {
  const request = createTransferRequest(order, { contracts })
  if (!request) throw new Error('no request')
  return request
}
const code = () => screen.queryByRole('img', { name: /^QR code to pay / })
const link = () => screen.queryByRole('link', { name: 'Open in wallet' })
const nothingToPay = () => expect([code(), link()]).toEqual([null, null])

describe('default', () => {
  test('a token', async () => {
    await show(createCheckout(inUsdc))
    const { uri, address } = requestOf(inUsdc)
    expect(link()?.getAttribute('href')).toBe(uri)
    expect(code()?.getAttribute('aria-label')).toBe('QR code to pay 1249.5\u00a0USDC on Polygon Amoy')
    const facts = [screen.getAllByRole('term'), screen.getAllByRole('definition')]
    expect(facts.map((all) => all.map(({ textContent }) => textContent))).toEqual([
      ['Network', 'Amount', 'Address'],
      ['Polygon Amoy', '1249.5\u00a0USDC Copy amount', `${address} Copy address`],
    ])
    expect(screen.getByText(/^Send exactly 1249.5 USDC on Polygon Amoy/)).toBeTruthy()
  })

  test('a native currency, which nothing but the request pays', async () => {
    await show(createCheckout(inEth))
    expect(link()?.getAttribute('href')).toBe(requestOf(inEth).uri)
    expect(screen.getAllByRole('term').map(({ textContent }) => textContent)).toEqual(['Network', 'Amount'])
    expect(screen.queryByRole('button')).toBe(null)
    expect(screen.getByText(/Do not send the amount by hand/)).toBeTruthy()
    expect(document.body.textContent).not.toContain('0x')
  })
})

test('behavior: the code is dark on light, with four light modules around it', async () => {
  await show(createCheckout(inUsdc), {}, <Checkout.TransferQr />)
  const { data, size } = encode(requestOf(inUsdc).uri, { ecc: 'M', border: 4 })
  const drawn = Array.from({ length: size }, () => Array<boolean>(size).fill(false))
  const path = code()?.querySelector('path')
  for (const [, x, y, run] of path?.getAttribute('d')?.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g) ?? [])
    drawn[Number(y)]?.fill(true, Number(x), Number(x) + Number(run))
  expect(drawn).toEqual(data)
  expect(code()?.querySelector('svg')?.getAttribute('viewBox')).toBe(`0 0 ${size} ${size}`)
  expect([path, code()?.querySelector('rect')].map((shape) => shape?.getAttribute('fill'))).toEqual([
    '#000',
    '#fff',
  ])
})

test('behavior: what was copied is the exact value', async () => {
  const writeText = vi.fn(async () => {})
  vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } })
  onTestFinished(() => void vi.unstubAllGlobals())
  await show(createCheckout(inUsdc))
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Copy address' })))
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Copy amount' })))
  expect(writeText.mock.calls).toEqual([[requestOf(inUsdc).address], ['1249.5']])
  expect(screen.getAllByRole('button', { name: 'Copied' })).toHaveLength(2)
})

describe('behavior: nothing is asked for while a payment may be on its way', () => {
  const under = ['connecting', 'awaitingSignature', 'broadcast', 'confirming', 'paid', 'uncertain'] as const
  test.each(under)('%s', async (step) => {
    const { show: change } = await show(createCheckout(inEth))
    expect(link()).not.toBe(null)
    change(createCheckout(inEth, { step: steps[step] }))
    nothingToPay()
    expect(screen.getByText(/may be on its way/)).toBeTruthy()
  })

  test('in another tab', async () => {
    const storage = createMemoryStorage()
    await show(createCheckout(inEth), { storage })
    expect(link()).not.toBe(null)
    createPaymentAttemptStore(storage).put({
      id: 'one',
      orderId: inEth.orderId,
      chainId: 84532,
      payerAddress: contracts.router,
      to: contracts.router,
      data: '0x',
      valueWei: '1',
      attemptedAtMs: nowMs,
    })
    act(() => void window.dispatchEvent(new Event('storage')))
    nothingToPay()
    expect(screen.getByText(/may be on its way/)).toBeTruthy()
  })

  test('a payment that failed is over', async () => {
    await show(createCheckout(inEth, { step: steps.rejected }))
    expect(link()).not.toBe(null)
  })
})

describe('behavior: nothing is asked for at a price that does not hold', () => {
  const endsAtMs = Date.parse(inUsdc.quote.expiresAt ?? '')

  test('expired', async () => {
    const refresh = vi.fn()
    await show({ ...expired, refresh })
    nothingToPay()
    expect(screen.getByText(/This quote has expired/)).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Get a new price' }))
    expect(refresh).toHaveBeenCalledOnce()
  })

  test('about to expire', async () => {
    const { show: change } = await show(createCheckout(inUsdc, { nowMs: endsAtMs - 15_000 }))
    expect(link()).not.toBe(null)
    change(createCheckout(inUsdc, { nowMs: endsAtMs - 14_000 }))
    nothingToPay()
  })

  test.each([{ isRefreshing: true }, { isEditing: true }])('%s', async (change) => {
    await show(createCheckout(inUsdc, change))
    nothingToPay()
  })
})

describe('error: nothing is asked for that the order does not owe', () => {
  const expectRefused = async (order: typeof inUsdc, sentence: string, options: WalletOptions = {}) => {
    await show(createCheckout(order), options)
    nothingToPay()
    expect(screen.getByRole('alert').textContent).toContain(sentence)
  }

  test('pay.recipient-mismatch', () =>
    expectRefused(orders.awaitingPaymentNative, 'does not match your order', {
      contracts: { ...contracts, router: contracts.depositFactory },
    }))

  test('pay.token-unknown', () => {
    const totalPrice = { amount: '1', currency: 'usdt' }
    const { payment, quote } = inUsdc
    const order = { ...inUsdc, quote: { ...quote, totalPrice }, payment: { ...payment, currency: 'usdt' } }
    return expectRefused(order, 'This payment is not possible here')
  })

  test('pay.chain-not-configured: of an app that does not know the chain', () => {
    const payment = { ...inEth.payment, method: 'ethereum' as const }
    return expectRefused({ ...inEth, payment }, 'This payment is not possible here')
  })
})

describe('behavior: absent', () => {
  const absent: OrderName[] = ['requiresRecipient', 'requiresEmail', 'paymentInProgress', 'completed']
  test.each(absent)('%s', async (name) => {
    await show(createCheckout(orders[name]), {}, <Checkout.Transfer data-testid="transfer" />)
    expect(screen.queryByTestId('transfer')).toBe(null)
  })

  test('in an app that does not say who receives payments', async () => {
    await show(createCheckout(inUsdc), { contracts: undefined }, <Checkout.Transfer data-testid="transfer" />)
    expect(screen.queryByTestId('transfer')).toBe(null)
  })
})

test('parameters: the parts take a class, a style and another element', async () => {
  await show(
    createCheckout(inUsdc),
    {},
    <>
      <Checkout.OpenInWallet className={({ chain }) => chain} render={<strong title="own" />} />
      <Checkout.TransferValue of="network" className={({ of }) => of} render={<em />} />
      <Checkout.TransferCopy of="amount" className={({ of }) => of} style={{ opacity: 0.5 }} />
    </>,
  )
  expect(screen.getByTitle('own').className).toBe('polygon-amoy')
  expect(screen.getByText('Polygon Amoy').outerHTML).toMatch(/^<em .*class="network"/)
  expect(screen.getByRole('button', { name: 'Copy amount' }).getAttribute('style')).toContain('0.5')
})
