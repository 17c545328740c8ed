import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import { createCheckout } from '../fixtures/checkout.js'
import { inCheckout } from '../fixtures/decorators.js'
import { orders } from '../fixtures/orders.js'

const meta = {
  title: 'Parts/ItemTracking',
  component: Checkout.ItemTracking,
  decorators: [inCheckout],
} satisfies Meta<typeof Checkout.ItemTracking>

export default meta

type Story = StoryObj<typeof meta>

const shipment = { status: 'shipped', carrier: 'DHL', lineItems: [{ index: 0 }] }
const trackingUrl = 'https://carrier.example/parcels/00340434161094042557'
const show = (shipments: unknown) => ({ checkout: createCheckout({ ...orders.completed, shipments }) })

export const Default: Story = { parameters: show([{ ...shipment, trackingUrl }]) }

export const Absent: Story = { parameters: { checkout: createCheckout(orders.completed) } }

export const WithoutLink: Story = { parameters: show([shipment]) }
