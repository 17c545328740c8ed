import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import { createCheckout } from '../fixtures/checkout.js'
import { inCheckout, withWallet } from '../fixtures/decorators.js'
import { orders } from '../fixtures/orders.js'
import { steps } from '../fixtures/steps.js'

const meta = {
  title: 'Parts/PaymentMethod',
  component: Checkout.PaymentMethod,
  decorators: [inCheckout, withWallet],
} satisfies Meta<typeof Checkout.PaymentMethod>

export default meta

type Story = StoryObj<typeof meta>

const edit = () => {}

export const Default: Story = {
  parameters: { checkout: createCheckout(orders.awaitingPaymentNative, { edit }) },
}

export const Token: Story = {
  parameters: { checkout: createCheckout(orders.awaitingPaymentUsdc, { edit }) },
}

export const Pending: Story = {
  parameters: { checkout: createCheckout(orders.awaitingPaymentNative, { edit, isEditing: true }) },
}

export const Paying: Story = {
  parameters: {
    checkout: createCheckout(orders.awaitingPaymentNative, { edit, step: steps.awaitingSignature }),
  },
}

export const OwnOptions: Story = {
  parameters: { checkout: createCheckout(orders.awaitingPaymentNative, { edit }) },
  args: { options: [{ method: 'base-sepolia', currency: 'usdxm' }] },
}

export const OnSolana: Story = {
  parameters: { checkout: createCheckout(orders.awaitingPaymentSol, { edit }), wallet: { solana: {} } },
}
