import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import { createCheckout } from '../fixtures/checkout.js'
import { inCheckout, withWallet } from '../fixtures/decorators.js'
import { orders } from '../fixtures/orders.js'
import { solanaBuyer, solanaOrders } from '../fixtures/solana.js'
import { connectedBuyer, stranger, type WalletOptions } from '../fixtures/wallet.js'

const meta = {
  title: 'Parts/Payer',
  component: Checkout.Payer,
  parameters: { wallet: { account: connectedBuyer } satisfies WalletOptions },
  decorators: [inCheckout, withWallet],
} satisfies Meta<typeof Checkout.Payer>

export default meta

type Story = StoryObj<typeof meta>

const edit = () => {}

export const Default: Story = {
  parameters: { checkout: createCheckout(orders.requiresPayer, { edit }) },
}

export const IsPayer: Story = {
  parameters: { checkout: createCheckout(orders.awaitingPaymentNative, { edit }) },
}

export const AnotherAccount: Story = {
  parameters: {
    checkout: createCheckout(orders.awaitingPaymentNative, { edit }),
    wallet: { account: stranger },
  },
}

export const Pending: Story = {
  parameters: { checkout: createCheckout(orders.requiresPayer, { edit, isEditing: true }) },
}

export const OnSolana: Story = {
  parameters: {
    checkout: createCheckout(solanaOrders.requiresPayer, { edit }),
    wallet: { solana: { address: solanaBuyer } } satisfies WalletOptions,
  },
}
