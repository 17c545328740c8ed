import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import { createCheckout } from '../fixtures/checkout.js'
import { inCheckout, withWallet } from '../fixtures/decorators.js'
import { orders } from '../fixtures/orders.js'
import { solanaOrders } from '../fixtures/solana.js'
import { connectedBuyer, unnamed } from '../fixtures/wallet.js'

const meta = {
  title: 'Parts/Wallets',
  component: Checkout.Wallets,
  decorators: [inCheckout, withWallet],
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

export const OnSolana: Story = {
  parameters: { checkout: createCheckout(solanaOrders.requiresPayer, { edit }), wallet: { solana: {} } },
}
