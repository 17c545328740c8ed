import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import { item, order } from '../fixtures/build.js'
import { createCheckout } from '../fixtures/checkout.js'
import { inCheckout } from '../fixtures/decorators.js'
import { orders } from '../fixtures/orders.js'

const meta = {
  title: 'Parts/ItemImage',
  component: Checkout.ItemImage,
  decorators: [inCheckout],
} satisfies Meta<typeof Checkout.ItemImage>

export default meta

type Story = StoryObj<typeof meta>

export const Default: Story = {
  parameters: { checkout: createCheckout(orders.awaitingPaymentNative) },
}

export const Failed: Story = {
  parameters: {
    checkout: createCheckout(
      order({
        lineItems: [item({ metadata: { name: 'Night Bloom', imageUrl: 'data:image/png;base64,AAAA' } })],
      }),
    ),
  },
}

export const WithoutAnyStyle: Story = {
  parameters: {
    checkout: createCheckout(orders.awaitingPaymentNative),
    isUnstyled: true,
    docs: { story: { inline: false, height: '32rem' } },
  },
}
