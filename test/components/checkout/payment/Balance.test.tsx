import { screen } from '@testing-library/react'
import { Checkout, type Order } from 'kassa'
import { parseEther, parseUnits } from 'viem'
import { expect, test } from 'vitest'
import { buyer } from '../../../../stories/fixtures/build.js'
import { createCheckout } from '../../../../stories/fixtures/checkout.js'
import { type OrderName, orders } from '../../../../stories/fixtures/orders.js'
import { solanaBuyer } from '../../../../stories/fixtures/solana.js'
import { connectedBuyer, Wallet, type WalletOptions } from '../../../../stories/fixtures/wallet.js'
import { mount } from '../../mount.js'

const show = (name: OrderName, wallet: WalletOptions, shown: Order = orders[name]) =>
  mount(
    createCheckout(shown),
    <Wallet {...wallet}>
      <Checkout.Balance data-testid="balance" />
    </Wallet>,
  )
const read = async () => (await screen.findByTestId('balance')).textContent

test('default', async () => {
  show('awaitingPaymentNative', { account: connectedBuyer, balance: parseEther('1.5') })
  expect(await read()).toBe('1.5\u00a0ETH')
  expect({ ...screen.getByTestId('balance').dataset }).toMatchObject({
    kassa: 'balance',
    amount: '1.5',
    currency: 'eth',
  })
})

test('behavior: of a token, in its own digits', async () => {
  const { awaitingPaymentUsdc: paid } = orders
  const preparation = { chain: 'polygon-amoy', payerAddress: buyer }
  const shown = { ...paid, payment: { ...paid.payment, preparation } }
  show('awaitingPaymentUsdc', { account: connectedBuyer, balance: parseUnits('2000.25', 6) }, shown)
  expect(await read()).toBe('2,000.25\u00a0USDC')
})

test('behavior: a long one is rounded down, and read out whole', async () => {
  show('awaitingPaymentNative', { account: connectedBuyer, balance: parseEther('0.912345678901234567') })
  expect(await read()).toBe('≈\u00a00.912345\u00a0ETH')
  expect(screen.getByRole('img', { name: '0.912345678901234567\u00a0ETH' })).toBeTruthy()
})

test('behavior: on Solana', async () => {
  show('awaitingPaymentSol', { solana: { address: solanaBuyer, balance: 1_200_000_000n } })
  expect(await read()).toBe('1.2\u00a0SOL')
})

test('behavior: absent until the order names its payer', () => {
  show('requiresPayer', { account: connectedBuyer, balance: parseEther('1.5') })
  expect(screen.queryByTestId('balance')).toBe(null)
})

test('behavior: absent without a wallet', () => {
  show('awaitingPaymentNative', {})
  expect(screen.queryByTestId('balance')).toBe(null)
})

test('behavior: absent once the order was paid, where it needs no wallet around it', () => {
  mount(createCheckout(orders.completed), <Checkout.Balance data-testid="balance" />)
  expect(screen.queryByTestId('balance')).toBe(null)
})
