import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import { expect, userEvent, within } from 'storybook/test'
import { whileEditing } from '../fixtures/decorators.js'
import type { Editing } from '../fixtures/Editing.js'
import { orders } from '../fixtures/orders.js'
import { discounted } from '../fixtures/sale.js'

const meta = {
  title: 'Parts/PromotionForm',
  component: Checkout.PromotionForm,
  parameters: { editing: { order: orders.awaitingPaymentNative } satisfies Editing },
  decorators: [whileEditing],
} satisfies Meta<typeof Checkout.PromotionForm>

export default meta

type Story = StoryObj<typeof meta>

export const Default: Story = {}

/** The form offers the code to change; without a text it removes the code. */
export const Applied: Story = { parameters: { editing: { order: discounted } satisfies Editing } }

export const Refused: Story = {
  parameters: {
    editing: {
      order: orders.awaitingPaymentNative,
      refusal: 'promotionCode: this code is not valid for this order',
    } satisfies Editing,
  },
  play: async ({ canvasElement }) => {
    const { getByRole } = within(canvasElement)
    await userEvent.type(getByRole('textbox'), 'WRONG')
    await userEvent.click(getByRole('button'))
    await expect(getByRole('textbox')).toHaveAccessibleDescription(
      'This code is unknown, has expired or is used up.',
    )
  },
}

export const Paid: Story = { parameters: { editing: { order: orders.completed } satisfies Editing } }
