import { screen } from '@testing-library/react'
import { Checkout } from 'kassa'
import { parseEther, parseUnits } from 'viem'
import { describe, expect, test } from 'vitest'
import { order } from '../../../../stories/fixtures/build.js'
import { createCheckout } from '../../../../stories/fixtures/checkout.js'
import { type OrderName, orders } from '../../../../stories/fixtures/orders.js'
import { connectedBuyer, Wallet } from '../../../../stories/fixtures/wallet.js'
import { mount } from '../../mount.js'

const price = { amount: '1249.5', currency: 'usdc' }
const lacksTokens = order({
  quote: { totalPrice: price },
  payment: { status: 'crypto-payer-insufficient-funds', currency: 'usdc' },
})

const show = (shown: typeof lacksTokens, balance: bigint) =>
  mount(
    createCheckout(shown),
    <Wallet account={connectedBuyer} balance={balance}>
      <Checkout.Funds data-testid="funds" />
    </Wallet>,
  )
const lines = async () => {
  await screen.findByTestId('funds')
  return [screen.getAllByRole('term'), screen.getAllByRole('definition')].map((all) =>
    all.map(({ textContent }) => textContent),
  )
}

test('default', async () => {
  show(orders.insufficientFunds, parseEther('0.03'))
  expect(await lines()).toEqual([
    ['In your wallet', 'Missing'],
    ['0.03\u00a0ETH', '0.012\u00a0ETH'],
  ])
  expect({ ...screen.getByTestId('funds').dataset }).toMatchObject({
    kassa: 'funds',
    balance: '0.03',
    missing: '0.012',
    currency: 'eth',
  })
})

test('behavior: a token is looked up in its own contract, with its own digits', async () => {
  show(lacksTokens, parseUnits('1000.25', 6))
  expect(await lines()).toEqual([
    ['In your wallet', 'Missing'],
    ['1,000.25\u00a0USDC', '249.25\u00a0USDC'],
  ])
})

test('behavior: what is there is never rounded up, what is missing never down', async () => {
  show(orders.insufficientFunds, parseEther('0.012345678901234567'))
  expect((await lines())[1]).toEqual(['≈\u00a00.0123456\u00a0ETH', '≈\u00a00.0296544\u00a0ETH'])
  expect(screen.getByRole('img', { name: '0.029654321098765433\u00a0ETH' })).toBeTruthy()
})

test('behavior: nothing is missing once enough has arrived', async () => {
  show(orders.insufficientFunds, parseEther('1'))
  expect(await lines()).toEqual([['In your wallet'], ['1\u00a0ETH']])
  expect(screen.getByTestId('funds').dataset.missing).toBe(undefined)
})

test('behavior: for the network fee, only what is there, in the currency that pays it', async () => {
  show(orders.insufficientFundsForGas, parseEther('0.042'))
  expect(await lines()).toEqual([['In your wallet'], ['0.042\u00a0ETH']])
})

describe('behavior: absent', () => {
  const absent: OrderName[] = ['awaitingPaymentNative', 'requiresPayer', 'completed', 'unknownFutureState']
  test.each(absent)('%s', (name) => {
    // Without a wallet around it, too: who lacks nothing needs none.
    mount(createCheckout(orders[name]), <Checkout.Funds data-testid="funds" />)
    expect(screen.queryByTestId('funds')).toBe(null)
  })

  test('without a wallet, and before the chain has answered', () => {
    mount(
      createCheckout(orders.insufficientFunds),
      <Wallet>
        <Checkout.Funds data-testid="funds" />
      </Wallet>,
    )
    expect(screen.queryByTestId('funds')).toBe(null)
  })
})
