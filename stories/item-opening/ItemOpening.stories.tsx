import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import { createCheckout } from '../fixtures/checkout.js'
import { inCheckout } from '../fixtures/decorators.js'
import { orders } from '../fixtures/orders.js'
import { opensAt, saleNotStarted } from '../fixtures/sale.js'

const meta = {
  title: 'Parts/ItemOpening',
  component: Checkout.ItemOpening,
  decorators: [inCheckout],
} satisfies Meta<typeof Checkout.ItemOpening>

export default meta

type Story = StoryObj<typeof meta>

const before = (ms: number) => createCheckout(saleNotStarted, { nowMs: Date.parse(opensAt) - ms })

export const Default: Story = { parameters: { checkout: before(3_845_000) } }

export const InDays: Story = { parameters: { checkout: before(3 * 24 * 3_600_000) } }

export const Open: Story = { parameters: { checkout: before(0) } }

export const BeforeTheClockIsKnown: Story = {
  parameters: { checkout: createCheckout(saleNotStarted, { nowMs: undefined }) },
}

export const WithoutAStart: Story = { parameters: { checkout: createCheckout(orders.allUnavailable) } }
