import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import { expect, userEvent, within } from 'storybook/test'
import { item, order } from '../fixtures/build.js'
import { whileEditing } from '../fixtures/decorators.js'
import type { Editing } from '../fixtures/Editing.js'
import { orders } from '../fixtures/orders.js'

const meta = {
  title: 'Parts/EmailForm',
  component: Checkout.EmailForm,
  parameters: { editing: { order: orders.requiresEmail } satisfies Editing },
  decorators: [whileEditing],
} satisfies Meta<typeof Checkout.EmailForm>

export default meta

type Story = StoryObj<typeof meta>

export const Default: Story = {}

/** The order is for an e-mail address: the receipt may go there, too. */
export const AnAddressIsOffered: Story = {
  parameters: {
    editing: {
      order: order({
        lineItems: [item({ delivery: { recipient: { email: 'ada@example.com' } } })],
        payment: { status: 'requires-email' },
      }),
    } satisfies Editing,
  },
}

export const Wrong: Story = {
  play: async ({ canvasElement }) => {
    const { getByRole } = within(canvasElement)
    await userEvent.click(getByRole('button'))
    await expect(getByRole('textbox')).toHaveAccessibleDescription('Fill this in.')
    await expect(getByRole('textbox')).toHaveFocus()
  },
}
