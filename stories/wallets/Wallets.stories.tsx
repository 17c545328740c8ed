import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout, type CheckoutValue } from 'kassa'
import { createCheckout } from '../fixtures/checkout.js'
import { orders } from '../fixtures/orders.js'
import { connectedBuyer, unnamed, Wallet, type WalletOptions } from '../fixtures/wallet.js'

const meta = {
  title: 'Parts/Wallets',
  component: Checkout.Wallets,
  decorators: [
    (Story, { parameters }) => (
      <Wallet {...(parameters.wallet as WalletOptions)}>
        <Checkout.Root value={parameters.checkout as CheckoutValue} className="plain">
          <Story />
        </Checkout.Root>
      </Wallet>
    ),
  ],
} satisfies Meta<typeof Checkout.Wallets>

export default meta

type Story = StoryObj<typeof meta>

const edit = () => {}

export const Default: Story = {
  parameters: { checkout: createCheckout(orders.requiresPayer, { edit }) },
}

export const NoneFound: Story = {
  parameters: { checkout: createCheckout(orders.requiresPayer, { edit }), wallet: { connectors: [unnamed] } },
}

export const Connected: Story = {
  parameters: {
    checkout: createCheckout(orders.requiresPayer, { edit }),
    wallet: { account: connectedBuyer },
  },
}

export const ByChildren: Story = {
  parameters: { checkout: createCheckout(orders.requiresPayer, { edit }) },
  args: { children: (wallets) => `${wallets.length} wallets` },
}
