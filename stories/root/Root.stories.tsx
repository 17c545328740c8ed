import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import { createCheckout } from '../fixtures/checkout.js'
import { momentControl } from '../fixtures/moments.js'
import { orders } from '../fixtures/orders.js'

const meta = {
  title: 'Parts/Root',
  component: Checkout.Root,
  argTypes: { value: momentControl },
  args: {
    value: createCheckout(orders.awaitingPaymentNative),
    children: (
      <>
        <Checkout.Total /> <Checkout.Expiry />
      </>
    ),
  },
} satisfies Meta<typeof Checkout.Root>

export default meta

type Story = StoryObj<typeof meta>

export const Default: Story = {}

export const AsAForm: Story = { args: { render: <form aria-label="Checkout" /> } }

export const ByChildren: Story = { args: { children: ({ stage }) => `This checkout is ${stage}.` } }
