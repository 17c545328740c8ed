import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import { expect, fn, userEvent, within } from 'storybook/test'
import { whileEditing } from '../fixtures/decorators.js'
import type { Editing } from '../fixtures/Editing.js'
import { orders } from '../fixtures/orders.js'

const onEdit = fn()

const meta = {
  title: 'Parts/RefundForm',
  component: Checkout.RefundForm,
  parameters: { editing: { order: orders.refundNeedsAddress, onEdit } satisfies Editing },
  decorators: [whileEditing],
} satisfies Meta<typeof Checkout.RefundForm>

export default meta

type Story = StoryObj<typeof meta>

export const Default: Story = {}

/** What cannot be an address on the chain of the refund is said at once and never sent. */
export const Wrong: Story = {
  play: async ({ canvasElement }) => {
    const input = within(canvasElement).getByRole('textbox')
    await userEvent.type(input, '0x12ab{Enter}')
    await expect(input).toHaveAccessibleDescription('Write it like 0x12Ab…89Ef.')
    await expect(input).toHaveFocus()
    await expect(onEdit).not.toHaveBeenCalled()
  },
}

/** No refund waits for an address. */
export const Absent: Story = {
  parameters: { editing: { order: orders.completed } satisfies Editing },
}
