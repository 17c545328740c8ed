import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import { item, order } from '../fixtures/build.js'
import { createCheckout } from '../fixtures/checkout.js'
import { inCheckout } from '../fixtures/decorators.js'

const meta = {
  title: 'Parts/ItemLimit',
  component: Checkout.ItemLimit,
  decorators: [inCheckout],
} satisfies Meta<typeof Checkout.ItemLimit>

export default meta

type Story = StoryObj<typeof meta>

const limited = (left: number, quantity = 1) =>
  createCheckout(order({ lineItems: [item({ quantity, quote: { allowance: { max: 4, left } } })] }))

export const Default: Story = { parameters: { checkout: limited(3) } }

export const FewerThanOrdered: Story = { parameters: { checkout: limited(1, 2) } }

export const WithoutALimit: Story = {
  parameters: { checkout: createCheckout(order({ lineItems: [item()] })) },
}
