import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import { expect, userEvent, within } from 'storybook/test'
import { EditingRoot } from '../fixtures/Editing.js'
import { orders } from '../fixtures/orders.js'

const meta = {
  title: 'Parts/Field',
  component: Checkout.Field,
  args: { name: 'email' },
  decorators: [
    (Story) => (
      <EditingRoot order={orders.requiresRecipient}>
        <Checkout.RecipientForm>
          <Story />
        </Checkout.RecipientForm>
      </EditingRoot>
    ),
  ],
} satisfies Meta<typeof Checkout.Field>

export default meta

type Story = StoryObj<typeof meta>

export const Default: Story = {}

export const MayStayEmpty: Story = { args: { name: 'line2' } }

export const Wrong: Story = {
  play: async ({ canvasElement }) => {
    const input = within(canvasElement).getByRole('textbox')
    await userEvent.type(input, 'ada{Enter}')
    await expect(input).toHaveAccessibleDescription('Write it like name@example.com.')
  },
}

export const ATemplate: Story = {
  args: {
    children: ({ isRequired }) => (
      <>
        <Checkout.FieldLabel>{`Your address${isRequired ? ' *' : ''}`}</Checkout.FieldLabel>{' '}
        <Checkout.FieldInput /> <Checkout.FieldError />
      </>
    ),
  },
}
