import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import { item, order } from '../fixtures/build.js'
import { createCheckout } from '../fixtures/checkout.js'
import { inCheckout } from '../fixtures/decorators.js'

const meta = {
  title: 'Parts/ItemQuantity',
  component: Checkout.ItemQuantity,
  decorators: [inCheckout],
} satisfies Meta<typeof Checkout.ItemQuantity>

export default meta

type Story = StoryObj<typeof meta>

// `kassa/theme.css` says nothing of a single piece.
const several = order({ lineItems: [item({ quantity: 2 })] })

export const Default: Story = { parameters: { checkout: createCheckout(several) } }

export const ByChildren: Story = {
  parameters: { checkout: createCheckout(several) },
  args: { children: ({ quantity }) => `${quantity} pieces` },
}
