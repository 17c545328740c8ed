import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import { createCheckout, nowMs } from '../fixtures/checkout.js'
import { inCheckout, withWallet } from '../fixtures/decorators.js'
import { orders } from '../fixtures/orders.js'
import { steps } from '../fixtures/steps.js'
import { contracts, type WalletOptions } from '../fixtures/wallet.js'

const meta = {
  title: 'Parts/Transfer',
  component: Checkout.Transfer,
  parameters: { wallet: { contracts } satisfies WalletOptions },
  decorators: [inCheckout, withWallet],
} satisfies Meta<typeof Checkout.Transfer>

export default meta

type Story = StoryObj<typeof meta>

/** Waits for what loads only when it is shown. */
const findCode: Story['play'] = async ({ canvas }) => {
  await canvas.findByRole('img', { name: /^QR code to pay / })
}

export const Default: Story = {
  play: findCode,
  parameters: { checkout: createCheckout(orders.awaitingPaymentUsdc) },
}

export const InTheNativeCurrency: Story = {
  play: findCode,
  parameters: { checkout: createCheckout(orders.requiresPayer) },
}

export const WhileAPriceIsRequested: Story = {
  parameters: { checkout: createCheckout(orders.awaitingPaymentUsdc, { isRefreshing: true }) },
}

export const WhileAPaymentMayBeOnItsWay: Story = {
  parameters: { checkout: createCheckout(orders.awaitingPaymentNative, { step: steps.uncertain }) },
}

export const Expired: Story = {
  parameters: { checkout: createCheckout(orders.awaitingPaymentUsdc, { nowMs: nowMs + 3_600_000 }) },
}

/** The service asks for a payment to another contract than the app's own. */
export const Refused: Story = {
  parameters: {
    checkout: createCheckout(orders.awaitingPaymentNative),
    wallet: { contracts: { ...contracts, router: contracts.depositFactory } } satisfies WalletOptions,
  },
}

/** The app does not say who receives payments, so that nothing can be checked. */
export const Absent: Story = {
  parameters: {
    checkout: createCheckout(orders.awaitingPaymentUsdc),
    wallet: { contracts: undefined } satisfies WalletOptions,
  },
}
