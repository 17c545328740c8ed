import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import { item, order } from '../fixtures/build.js'
import { createCheckout } from '../fixtures/checkout.js'
import { inCheckout } from '../fixtures/decorators.js'

const meta = {
  title: 'Parts/ItemStock',
  component: Checkout.ItemStock,
  decorators: [inCheckout],
} satisfies Meta<typeof Checkout.ItemStock>

export default meta

type Story = StoryObj<typeof meta>

const left = (available: number | undefined, quantity = 1) =>
  createCheckout(order({ lineItems: [item({ quantity, quote: { available } })] }))

export const Default: Story = { parameters: { checkout: left(240) } }

export const FewerThanOrdered: Story = { parameters: { checkout: left(99, 100) } }

export const SoldOut: Story = { parameters: { checkout: left(0) } }

export const WithoutALimit: Story = { parameters: { checkout: left(undefined) } }
