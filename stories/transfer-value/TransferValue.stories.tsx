import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import { createCheckout } from '../fixtures/checkout.js'
import { inCheckout, withWallet } from '../fixtures/decorators.js'
import { orders } from '../fixtures/orders.js'
import { contracts, type WalletOptions } from '../fixtures/wallet.js'

const meta = {
  title: 'Parts/TransferValue',
  component: Checkout.TransferValue,
  parameters: {
    wallet: { contracts } satisfies WalletOptions,
    checkout: createCheckout(orders.awaitingPaymentUsdc),
  },
  decorators: [inCheckout, withWallet],
} satisfies Meta<typeof Checkout.TransferValue>

export default meta

type Story = StoryObj<typeof meta>

export const Default: Story = {}

export const Address: Story = { args: { of: 'address' } }

export const Network: Story = { args: { of: 'network' } }

export const Absent: Story = {
  parameters: { checkout: createCheckout(orders.completed) },
}
