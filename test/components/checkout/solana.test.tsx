import { fireEvent, screen, waitFor } from '@testing-library/react'
import { Checkout, type CheckoutValue, useSolanaWallets } from 'kassa'
import type { ReactElement } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { solanaTxId } from '../../../src/testing/orderFixture.js'
import { createCheckout } from '../../../stories/fixtures/checkout.js'
import { orders } from '../../../stories/fixtures/orders.js'
import {
  type SolanaOptions,
  solanaBuyer,
  solanaOrders,
  solanaStranger,
} from '../../../stories/fixtures/solana.js'
import { steps } from '../../../stories/fixtures/steps.js'
import { connectedBuyer, Wallet, type WalletOptions } from '../../../stories/fixtures/wallet.js'
import { mount } from '../mount.js'
import { send, write } from '../writeForm.js'
import { createRefusal } from './createRefusal.js'

const show = (
  value: CheckoutValue,
  part: ReactElement,
  solana: SolanaOptions = {},
  options: WalletOptions = {},
) =>
  mount(
    value,
    <Wallet solana={solana} {...options}>
      {part}
    </Wallet>,
  )

const names = (): (string | null)[] =>
  screen.queryAllByRole('button').map((button) => button.textContent?.trim() ?? null)

const withEdit = (order: CheckoutValue['order'], changes: Partial<CheckoutValue> = {}) => {
  const edit = vi.fn()
  return { edit, value: createCheckout(order, { edit, ...changes }) }
}

describe('Wallets', () => {
  test('default: an order that is paid on Solana lists the wallets of Solana', async () => {
    const { edit, value } = withEdit(solanaOrders.requiresPayer)
    show(value, <Checkout.Wallets />, {}, { account: connectedBuyer })
    expect(names()).toEqual(['Connect Lantern', 'Connect Pebble'])
    expect(screen.getByRole('group').dataset.count).toBe('2')
    fireEvent.click(screen.getByRole('button', { name: 'Connect Pebble' }))
    await waitFor(() => expect(screen.queryByRole('group')).toBe(null))
    const payment = { method: 'solana', currency: 'sol', payerAddress: solanaBuyer }
    expect(edit).toHaveBeenCalledExactlyOnceWith({ payment })
  })

  test('behavior: an order that is paid on an EVM chain lists the wallets of wagmi', () => {
    show(createCheckout(orders.requiresPayer), <Checkout.Wallets />, { address: solanaBuyer })
    expect(names()).toEqual(['Connect Meadow', 'Connect Harbor'])
  })

  test('behavior: connecting changes no order that does not wait for a payer', async () => {
    const { edit, value } = withEdit(orders.awaitingPaymentSol)
    show(value, <Checkout.Wallets />)
    fireEvent.click(screen.getByRole('button', { name: 'Connect Lantern' }))
    await waitFor(() => expect(screen.queryByRole('group')).toBe(null))
    expect(edit).not.toHaveBeenCalled()
  })

  test('behavior: without any wallet it says so', () => {
    show(createCheckout(solanaOrders.requiresPayer), <Checkout.Wallets />, { wallets: [] })
    expect(screen.getByRole('group').textContent).toBe('No wallet was found in this browser.')
  })

  test('behavior: in an app without Solana it says so', () => {
    mount(
      createCheckout(solanaOrders.requiresPayer),
      <Wallet>
        <Checkout.Wallets />
      </Wallet>,
    )
    expect(screen.getByRole('group').textContent).toBe('No wallet was found in this browser.')
  })

  test.each([
    ['that declines', { code: 4001 }, undefined, null],
    ['that fails', new Error('locked'), '', 'The wallet did not connect. Unlock it, then try again.'],
  ])('behavior: a wallet %s can be asked again, and changes nothing', async (_, error, failed, said) => {
    const { edit, value } = withEdit(solanaOrders.requiresPayer)
    const refusal = createRefusal(error)
    show(value, <Checkout.Wallets />, { connect: refusal.connect })
    const button = screen.getByRole('button', { name: 'Connect Lantern' })
    await refusal.press(button)
    expect(button.dataset.failed).toBe(failed)
    expect(screen.queryByRole('alert')?.textContent ?? null).toBe(said)
    expect(edit).not.toHaveBeenCalled()
  })
})

describe('Payer', () => {
  test.each([
    ['the payer', solanaBuyer, 'true'],
    ['another account', solanaStranger, null],
    ['an account that differs in case', solanaBuyer.toLowerCase(), null],
  ])('behavior: %s', (_, address, isDisabled) => {
    const { edit, value } = withEdit(orders.awaitingPaymentSol)
    show(value, <Checkout.Payer />, { address }, { account: connectedBuyer })
    const button = screen.getByRole('button')
    expect(button.title).toBe(address)
    expect(button.getAttribute('aria-disabled')).toBe(isDisabled)
    fireEvent.click(button)
    expect(edit).toHaveBeenCalledTimes(isDisabled ? 0 : 1)
  })
})

describe('Disconnect', () => {
  test('default', async () => {
    const value = createCheckout(orders.awaitingPaymentSol)
    show(value, <Checkout.Disconnect />, { address: solanaBuyer }, { account: connectedBuyer })
    fireEvent.click(screen.getByRole('button'))
    await waitFor(() => expect(screen.queryByRole('button')).toBe(null))
  })

  test('behavior: not while a payment needs the wallet', () => {
    const value = createCheckout(orders.awaitingPaymentSol, { step: steps.awaitingSignature })
    show(value, <Checkout.Disconnect />, { address: solanaBuyer })
    fireEvent.click(screen.getByRole('button'))
    expect(screen.getByRole('button')).toBeTruthy()
  })
})

describe('Funds', () => {
  const lines = async () => {
    await screen.findByTestId('funds')
    return screen.getAllByRole('definition').map(({ textContent }) => textContent)
  }
  const funds = <Checkout.Funds data-testid="funds" />

  test('default', async () => {
    const solana = { address: solanaBuyer, balance: 120_000_000n }
    show(createCheckout(orders.insufficientFundsOnSolana), funds, solana)
    expect(await lines()).toEqual(['0.12\u00a0SOL', '0.72\u00a0SOL'])
  })

  test('behavior: for the network fee, only what is there', async () => {
    show(createCheckout(solanaOrders.insufficientFundsForGas), funds, {
      address: solanaBuyer,
      balance: 4_000n,
    })
    expect(await lines()).toEqual(['0.000004\u00a0SOL'])
  })

  test('behavior: absent without a wallet', () => {
    show(createCheckout(orders.insufficientFundsOnSolana), funds)
    expect(screen.queryByTestId('funds')).toBe(null)
  })
})

describe('PaymentMethod', () => {
  const options = () => screen.getAllByRole('option').map(({ textContent }) => textContent)

  test('default: the currencies of Solana beside those of the EVM chains', async () => {
    show(createCheckout(orders.awaitingPaymentNative), <Checkout.PaymentMethod />)
    expect(options()).toEqual(
      expect.arrayContaining(['ETH on Base Sepolia', 'SOL on Solana', 'USDC on Solana']),
    )
    expect(options().at(-1)).toBe('USDC on Solana')
  })

  test('behavior: an app without Solana does not offer it', () => {
    mount(
      createCheckout(orders.awaitingPaymentNative),
      <Wallet>
        <Checkout.PaymentMethod />
      </Wallet>,
    )
    expect(options().join()).not.toContain('Solana')
  })

  const choose = (value: string) => {
    const select = screen.getByRole('combobox')
    fireEvent.pointerDown(select)
    fireEvent.change(select, { target: { value } })
  }

  test.each([
    ['from an EVM chain to Solana', orders.awaitingPaymentNative, 'solana:usdc', solanaBuyer],
    ['from Solana to an EVM chain', orders.awaitingPaymentSol, 'base-sepolia:eth', connectedBuyer],
    ['on Solana', orders.awaitingPaymentSol, 'solana:usdc', solanaBuyer],
  ])('behavior: the payer of a choice %s is an account there', (_, order, choice, payerAddress) => {
    const { edit, value } = withEdit(order)
    show(value, <Checkout.PaymentMethod />, { address: solanaBuyer }, { account: connectedBuyer })
    choose(choice)
    const [method, currency] = choice.split(':')
    expect(edit).toHaveBeenCalledExactlyOnceWith({ payment: { method, currency, payerAddress } })
  })

  test('behavior: a choice of the other family without a wallet there leaves the payer open', () => {
    const { edit, value } = withEdit(orders.awaitingPaymentNative)
    show(value, <Checkout.PaymentMethod />, {}, { account: connectedBuyer })
    choose('solana:sol')
    expect(edit).toHaveBeenCalledExactlyOnceWith({ payment: { method: 'solana', currency: 'sol' } })
  })
})

test('TransactionLink: links to the explorer of Solana', () => {
  show(createCheckout(orders.completedOnSolana), <Checkout.TransactionLink />)
  expect(screen.getByRole<HTMLAnchorElement>('link').href).toBe(
    `https://explorer.example.com/tx/${solanaTxId}?cluster=devnet`,
  )
})

describe('RecipientForm', () => {
  const label = 'E-mail or wallet address'

  test('behavior: offers the wallet of the chain of the goods', () => {
    const solana = { address: solanaBuyer }
    const value = createCheckout(solanaOrders.requiresRecipient)
    show(value, <Checkout.RecipientForm />, solana, { account: connectedBuyer })
    expect(screen.getByLabelText<HTMLInputElement>(label).value).toBe(solanaBuyer)
  })

  test('error: an EVM account for goods on Solana', () => {
    const { edit, value } = withEdit(solanaOrders.requiresRecipient)
    show(value, <Checkout.RecipientForm />)
    write({ [label]: connectedBuyer })
    send()
    expect(screen.getByText('Write it like 7xKX…gAsU.')).toBeTruthy()
    expect(edit).not.toHaveBeenCalled()
    write({ [label]: solanaBuyer })
    send()
    expect(edit).toHaveBeenCalledExactlyOnceWith({ recipient: { walletAddress: solanaBuyer } })
  })
})

describe('useSolanaWallets', () => {
  function Probe() {
    const { status, address, wallets, connect } = useSolanaWallets()
    const [wallet] = wallets
    return (
      <button type="button" onClick={() => wallet && void connect(wallet)}>
        {[status, address, wallets.length].join()}
      </button>
    )
  }

  test('default', async () => {
    show(createCheckout(undefined), <Probe />)
    const button = screen.getByRole('button')
    expect(button.textContent).toBe('disconnected,,2')
    fireEvent.click(button)
    await waitFor(() => expect(button.textContent).toBe(`connected,${solanaBuyer},2`))
  })

  test('behavior: without `solana` there are none', () => {
    mount(createCheckout(undefined), <Probe />)
    expect(screen.getByRole('button').textContent).toBe('disconnected,,0')
  })
})
