import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import { parseEther } from 'viem'
import { createCheckout } from '../fixtures/checkout.js'
import { inCheckout, withWallet } from '../fixtures/decorators.js'
import { orders } from '../fixtures/orders.js'
import { solanaBuyer } from '../fixtures/solana.js'
import { connectedBuyer, type WalletOptions } from '../fixtures/wallet.js'

const meta = {
  title: 'Parts/Funds',
  component: Checkout.Funds,
  parameters: { wallet: { account: connectedBuyer, balance: parseEther('0.03') } satisfies WalletOptions },
  decorators: [inCheckout, withWallet],
} satisfies Meta<typeof Checkout.Funds>

export default meta

type Story = StoryObj<typeof meta>

export const Default: Story = {
  parameters: { checkout: createCheckout(orders.insufficientFunds) },
}

export const ManyDigits: Story = {
  parameters: {
    checkout: createCheckout(orders.insufficientFunds),
    wallet: { account: connectedBuyer, balance: parseEther('0.012345678901234567') },
  },
}

export const ForTheNetworkFee: Story = {
  parameters: { checkout: createCheckout(orders.insufficientFundsForGas) },
}

export const Absent: Story = {
  parameters: { checkout: createCheckout(orders.awaitingPaymentNative) },
}

export const OnSolana: Story = {
  parameters: {
    checkout: createCheckout(orders.insufficientFundsOnSolana),
    wallet: { solana: { address: solanaBuyer, balance: 120_000_000n } } satisfies WalletOptions,
  },
}
