import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout, type QuotedPaymentOption } from 'kassa'
import { createCheckout } from '../fixtures/checkout.js'
import { inCheckout, withWallet } from '../fixtures/decorators.js'
import { sponsoredOrder, waysWithoutFee } from '../fixtures/gasless.js'
import { orders } from '../fixtures/orders.js'
import { steps } from '../fixtures/steps.js'
import { connectedBuyer } from '../fixtures/wallet.js'
import { waysToPay } from '../fixtures/waysToPay.js'

const meta = {
  title: 'Parts/PaymentOptions',
  component: Checkout.PaymentOptions,
  decorators: [inCheckout, withWallet],
  parameters: { wallet: { account: connectedBuyer } },
} satisfies Meta<typeof Checkout.PaymentOptions>

export default meta

type Story = StoryObj<typeof meta>

const edit = () => {}
const unpaid = { checkout: createCheckout(orders.awaitingPaymentNative, { edit }) }

export const Default: Story = { parameters: unpaid, args: { options: waysToPay } }

/** Until the service has answered, only the order's own is shown. */
export const Loading: Story = { parameters: unpaid }

/** The shop pays the network fee of USDC, so a buyer without coins can pay. */
export const PaidByTheShop: Story = {
  parameters: { checkout: createCheckout(sponsoredOrder, { edit }) },
  args: { options: waysWithoutFee },
}

const isUnknownOn = (chain: string) => (option: QuotedPaymentOption) =>
  option.chain === chain ? { ...option, networkFee: null, balance: null, sufficient: null } : option

/** A chain that does not answer. What is on it can be chosen all the same. */
export const Unknown: Story = {
  parameters: unpaid,
  args: { options: waysToPay.map(isUnknownOn('polygon-amoy')).map(({ missing: _, ...option }) => option) },
}

export const NoWallet: Story = {
  parameters: {
    checkout: createCheckout(orders.requiresPayer, { edit }),
    wallet: {},
  },
  args: {
    options: waysToPay.map(({ missing: _, ...option }) => ({ ...option, balance: null, sufficient: null })),
  },
}

export const Pending: Story = {
  parameters: { checkout: createCheckout(orders.awaitingPaymentNative, { edit, isEditing: true }) },
  args: { options: waysToPay },
}

export const Paying: Story = {
  parameters: {
    checkout: createCheckout(orders.awaitingPaymentNative, { edit, step: steps.awaitingSignature }),
  },
  args: { options: waysToPay },
}
