import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout, type CheckoutFieldName } from 'kassa'
import { inField } from '../fixtures/decorators.js'

const meta = {
  title: 'Parts/FieldLabel',
  component: Checkout.FieldLabel,
  parameters: { field: 'email' satisfies CheckoutFieldName },
  decorators: [
    (Story) => (
      <>
        <Story /> <Checkout.FieldInput />
      </>
    ),
    inField,
  ],
} satisfies Meta<typeof Checkout.FieldLabel>

export default meta

type Story = StoryObj<typeof meta>

export const Default: Story = {}

export const MayStayEmpty: Story = { parameters: { field: 'line2' satisfies CheckoutFieldName } }

export const ByChildren: Story = { args: { children: 'Where shall it go?' } }
