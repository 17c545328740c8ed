import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout, type CheckoutValue } from 'kassa'
import { createCheckout } from '../fixtures/checkout.js'
import { orders } from '../fixtures/orders.js'
import { steps } from '../fixtures/steps.js'
import { connectedBuyer, Wallet, type WalletOptions } from '../fixtures/wallet.js'

const meta = {
  title: 'Parts/Disconnect',
  component: Checkout.Disconnect,
  parameters: { wallet: { account: connectedBuyer } satisfies WalletOptions },
  decorators: [
    (Story, { parameters }) => (
      <Wallet {...(parameters.wallet as WalletOptions)}>
        <Checkout.Root value={parameters.checkout as CheckoutValue} className="plain">
          <Story />
        </Checkout.Root>
      </Wallet>
    ),
  ],
} satisfies Meta<typeof Checkout.Disconnect>

export default meta

type Story = StoryObj<typeof meta>

export const Default: Story = {
  parameters: { checkout: createCheckout(orders.awaitingPaymentNative) },
}

export const Paying: Story = {
  parameters: { checkout: createCheckout(orders.awaitingPaymentNative, { step: steps.awaitingSignature }) },
}
