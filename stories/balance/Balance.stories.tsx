import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import { parseEther } from 'viem'
import { createCheckout } from '../fixtures/checkout.js'
import { inCheckout, withWallet } from '../fixtures/decorators.js'
import { orders } from '../fixtures/orders.js'
import { solanaBuyer } from '../fixtures/solana.js'
import { connectedBuyer, type WalletOptions } from '../fixtures/wallet.js'

const meta = {
  title: 'Parts/Balance',
  component: Checkout.Balance,
  parameters: {
    checkout: createCheckout(orders.awaitingPaymentNative),
    wallet: { account: connectedBuyer, balance: parseEther('1.5') } satisfies WalletOptions,
  },
  decorators: [inCheckout, withWallet],
} satisfies Meta<typeof Checkout.Balance>

export default meta

type Story = StoryObj<typeof meta>

export const Default: Story = {}

export const ManyDigits: Story = {
  parameters: { wallet: { account: connectedBuyer, balance: parseEther('0.912345678901234567') } },
}

export const OnSolana: Story = {
  parameters: {
    checkout: createCheckout(orders.awaitingPaymentSol),
    wallet: { solana: { address: solanaBuyer, balance: 1_200_000_000n } } satisfies WalletOptions,
  },
}

export const WithoutAWallet: Story = { parameters: { wallet: {} } }
