import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout, type CheckoutFieldName } from 'kassa'
import { expect, userEvent, within } from 'storybook/test'
import { EditingRoot } from '../fixtures/Editing.js'
import { orders } from '../fixtures/orders.js'

const fieldNames: CheckoutFieldName[] = [
  'recipient',
  'email',
  'walletAddress',
  'name',
  'line1',
  'line2',
  'city',
  'state',
  'postalCode',
  'country',
]

const meta = {
  title: 'Parts/Field',
  component: Checkout.Field,
  args: { name: 'email' },
  argTypes: { name: { control: 'select', options: fieldNames } },
  decorators: [
    (Story, { loaded }) => (
      <EditingRoot order={orders.requiresRecipient} messages={loaded.messages}>
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
