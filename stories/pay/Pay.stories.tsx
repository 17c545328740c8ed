import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import { createCheckout } from '../fixtures/checkout.js'
import { inCheckout } from '../fixtures/decorators.js'
import { sponsoredOrder } from '../fixtures/gasless.js'
import { orders } from '../fixtures/orders.js'
import { steps } from '../fixtures/steps.js'

const meta = {
  title: 'Parts/Pay',
  component: Checkout.Pay,
  decorators: [inCheckout],
} satisfies Meta<typeof Checkout.Pay>

export default meta

type Story = StoryObj<typeof meta>

export const Default: Story = {
  parameters: { checkout: createCheckout(orders.awaitingPaymentNative) },
}

export const Pending: Story = {
  parameters: { checkout: createCheckout(orders.awaitingPaymentNative, { step: steps.awaitingSignature }) },
}

/** A permit and the payment that uses it are two requests to the wallet. */
export const SecondSignature: Story = {
  parameters: {
    checkout: createCheckout(sponsoredOrder, {
      step: { status: 'awaiting-signature', part: { number: 2, count: 2 } },
    }),
  },
}

export const Expired: Story = {
  parameters: { checkout: createCheckout(orders.expired) },
}

export const Uncertain: Story = {
  parameters: { checkout: createCheckout(orders.awaitingPaymentNative, { step: steps.uncertain }) },
}

export const Free: Story = { parameters: { checkout: createCheckout(orders.free) } }

export const InsufficientFunds: Story = {
  parameters: { checkout: createCheckout(orders.insufficientFunds) },
}

export const AsALink: Story = {
  parameters: { checkout: createCheckout(orders.awaitingPaymentNative) },
  args: {
    render: (
      <a href="#pay" type={undefined}>
        Pay on the next page
      </a>
    ),
  },
}
