import type { Meta, StoryObj } from '@storybook/react-vite'
import { CheckoutPanel } from 'kassa/panel'
import { expect, within } from 'storybook/test'
import { buyer } from '../fixtures/build.js'
import { createCheckout } from '../fixtures/checkout.js'
import { momentControl } from '../fixtures/moments.js'
import { orders } from '../fixtures/orders.js'
import { Wallet } from '../fixtures/wallet.js'

const meta = {
  title: 'Checkout/Panel/Light',
  component: CheckoutPanel,
  argTypes: { value: momentControl },
  args: { value: createCheckout(orders.awaitingPaymentNative, { edit: () => {} }) },
  render: (args) => (
    <Wallet account={buyer}>
      <CheckoutPanel {...args} />
    </Wallet>
  ),
} satisfies Meta<typeof CheckoutPanel>

export default meta

type Story = StoryObj<typeof meta>

/** What a buyer meets first is there at once; the rest loads after it. */
export const ToPay: Story = {}

/** A form that loads when it is needed. */
export const AsksForEmail: Story = {
  args: { value: createCheckout(orders.requiresEmail, { edit: () => {} }) },
  play: async ({ canvasElement }) => {
    await expect(await within(canvasElement).findByRole('textbox')).toBeVisible()
  },
}

/** A receipt that loads when the order is over. */
export const Delivered: Story = { args: { value: createCheckout(orders.completed) } }
