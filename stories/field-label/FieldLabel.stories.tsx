import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout, type CheckoutFieldName } from 'kassa'
import { EditingRoot } from '../fixtures/Editing.js'
import { orders } from '../fixtures/orders.js'

const meta = {
  title: 'Parts/FieldLabel',
  component: Checkout.FieldLabel,
  parameters: { field: 'email' satisfies CheckoutFieldName },
  decorators: [
    (Story, { parameters }) => (
      <EditingRoot order={orders.requiresRecipient}>
        <Checkout.RecipientForm>
          <Checkout.Field name={parameters.field as CheckoutFieldName}>
            <Story /> <Checkout.FieldInput />
          </Checkout.Field>
        </Checkout.RecipientForm>
      </EditingRoot>
    ),
  ],
} satisfies Meta<typeof Checkout.FieldLabel>

export default meta

type Story = StoryObj<typeof meta>

export const Default: Story = {}

export const MayStayEmpty: Story = { parameters: { field: 'line2' satisfies CheckoutFieldName } }

export const ByChildren: Story = { args: { children: 'Where shall it go?' } }
