import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import { createCheckout } from '../fixtures/checkout.js'
import { inCheckout } from '../fixtures/decorators.js'
import { orders } from '../fixtures/orders.js'

const meta = {
  title: 'Parts/Submit',
  component: Checkout.Submit,
  decorators: [inCheckout],
} satisfies Meta<typeof Checkout.Submit>

export default meta

type Story = StoryObj<typeof meta>

const edit = () => {}

export const Default: Story = {
  parameters: { checkout: createCheckout(orders.requiresRecipient, { edit }) },
}

export const Saving: Story = {
  parameters: { checkout: createCheckout(orders.requiresRecipient, { edit, isEditing: true }) },
}

export const ByChildren: Story = {
  parameters: { checkout: createCheckout(orders.requiresRecipient, { edit }) },
  args: { children: ({ isSaving }) => (isSaving ? 'Saving…' : 'Go on') },
}
