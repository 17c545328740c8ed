import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import { apiError } from '../../src/errors/apiError.js'
import { createCheckout } from '../fixtures/checkout.js'
import { inCheckout } from '../fixtures/decorators.js'
import { orders } from '../fixtures/orders.js'
import { steps } from '../fixtures/steps.js'

const meta = {
  title: 'Parts/Error',
  component: Checkout.Error,
  decorators: [inCheckout],
} satisfies Meta<typeof Checkout.Error>

export default meta

type Story = StoryObj<typeof meta>

export const Default: Story = {
  parameters: { checkout: createCheckout(orders.awaitingPaymentNative, { step: steps.rejected }) },
}

export const WrongAccount: Story = {
  parameters: { checkout: createCheckout(orders.awaitingPaymentNative, { step: steps.wrongAccount }) },
}

export const ByChildren: Story = {
  parameters: { checkout: createCheckout(orders.awaitingPaymentNative, { step: steps.rejected }) },
  args: { children: ({ code }) => `It failed: ${code}` },
}

export const ChangeRefused: Story = {
  parameters: {
    checkout: createCheckout(orders.awaitingPaymentNative, {
      editError: apiError('api.bad-request', {
        status: 400,
        message: 'payment.currency: dai is not known on base-sepolia',
      }),
    }),
  },
}
