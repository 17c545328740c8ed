import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout, type CheckoutFieldName } from 'kassa'
import { expect, userEvent, within } from 'storybook/test'
import { inField } from '../fixtures/decorators.js'

const meta = {
  title: 'Parts/FieldInput',
  component: Checkout.FieldInput,
  parameters: { field: 'email' satisfies CheckoutFieldName },
  decorators: [
    (Story) => (
      <>
        <Checkout.FieldLabel /> <Story />
      </>
    ),
    inField,
  ],
} satisfies Meta<typeof Checkout.FieldInput>

export default meta

type Story = StoryObj<typeof meta>

export const Default: Story = {}

export const ACountry: Story = { parameters: { field: 'country' satisfies CheckoutFieldName } }

/** What the app knows already. */
export const FilledIn: Story = { args: { defaultValue: 'ada@example.com' } }

export const Wrong: Story = {
  play: async ({ canvasElement }) => {
    const input = within(canvasElement).getByRole('textbox')
    await userEvent.type(input, 'ada{Enter}')
    await expect(input).toBeInvalid()
  },
}
