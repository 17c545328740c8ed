import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import { createCheckout } from '../fixtures/checkout.js'
import { inCheckout, withWallet } from '../fixtures/decorators.js'
import { sponsoredOrder } from '../fixtures/gasless.js'
import { orders } from '../fixtures/orders.js'
import { connectedBuyer, type WalletOptions } from '../fixtures/wallet.js'

const meta = {
  title: 'Parts/NetworkFee',
  component: Checkout.NetworkFee,
  parameters: { wallet: { account: connectedBuyer } satisfies WalletOptions },
  decorators: [inCheckout, withWallet],
} satisfies Meta<typeof Checkout.NetworkFee>

export default meta

type Story = StoryObj<typeof meta>

export const Default: Story = { parameters: { checkout: createCheckout(orders.awaitingPaymentNative) } }

/** The buyer signs the payment, and the shop sends it. */
export const PaidByTheShop: Story = { parameters: { checkout: createCheckout(sponsoredOrder) } }

export const NotReadyToPay: Story = { parameters: { checkout: createCheckout(orders.insufficientFunds) } }
