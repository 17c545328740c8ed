import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import { createCheckout } from '../fixtures/checkout.js'
import { inCheckout, withWallet } from '../fixtures/decorators.js'
import { orders } from '../fixtures/orders.js'
import { contracts, type WalletOptions } from '../fixtures/wallet.js'

const meta = {
  title: 'Parts/TransferQr',
  component: Checkout.TransferQr,
  parameters: {
    wallet: { contracts } satisfies WalletOptions,
    checkout: createCheckout(orders.awaitingPaymentUsdc),
  },
  decorators: [inCheckout, withWallet],
} satisfies Meta<typeof Checkout.TransferQr>

export default meta

type Story = StoryObj<typeof meta>

/** Waits for what loads only when it is shown. */
const findCode: Story['play'] = async ({ canvas }) => {
  await canvas.findByRole('img', { name: /^QR code to pay / })
}

export const Default: Story = { play: findCode }

/** A call of the payment router, which is longer. */
export const InTheNativeCurrency: Story = {
  play: findCode,
  parameters: { checkout: createCheckout(orders.requiresPayer) },
}

export const Pending: Story = {
  parameters: { checkout: createCheckout(orders.awaitingPaymentUsdc, { isRefreshing: true }) },
}

export const Absent: Story = {
  parameters: { checkout: createCheckout(orders.completed) },
}
