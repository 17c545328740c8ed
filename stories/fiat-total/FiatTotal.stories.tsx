import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import { order } from '../fixtures/build.js'
import { createCheckout } from '../fixtures/checkout.js'
import { inCheckout } from '../fixtures/decorators.js'
import { orders } from '../fixtures/orders.js'

const meta = {
  title: 'Parts/FiatTotal',
  component: Checkout.FiatTotal,
  decorators: [inCheckout],
} satisfies Meta<typeof Checkout.FiatTotal>

export default meta

type Story = StoryObj<typeof meta>

const worth = (amount: string, locale = 'en-US') =>
  createCheckout(
    order({
      locale,
      quote: { totalPrice: { amount: '0.042', currency: 'eth', fiat: { amount, currency: 'usd' } } },
    }),
  )

export const Default: Story = { parameters: { checkout: worth('126.00') } }

export const WithCents: Story = { parameters: { checkout: worth('126.50') } }

export const InGerman: Story = { parameters: { checkout: worth('1249.50', 'de-DE') } }

export const WithoutARate: Story = { parameters: { checkout: createCheckout(orders.awaitingPaymentNative) } }
