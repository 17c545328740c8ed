import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import { buyer } from '../fixtures/build.js'
import { createCheckout } from '../fixtures/checkout.js'
import { type OrderName, orders } from '../fixtures/orders.js'
import { Themed } from '../fixtures/Themed.js'
import { Wallet } from '../fixtures/wallet.js'

const show = (name: OrderName) => createCheckout(orders[name], { edit: () => {} })

const meta = {
  title: 'Checkout/Panel',
  component: Checkout.Panel,
  args: { value: createCheckout(undefined) },
  render: (args) => (
    <Themed>
      <Wallet account={buyer}>
        <Checkout.Panel {...args} />
      </Wallet>
    </Themed>
  ),
} satisfies Meta<typeof Checkout.Panel>

export default meta

type Story = StoryObj<typeof meta>

export const Loading: Story = {}

export const RequiresRecipient: Story = { args: { value: show('requiresRecipient') } }

export const RequiresPhysicalAddress: Story = { args: { value: show('requiresPhysicalAddress') } }

export const RequiresPayer: Story = { args: { value: show('requiresPayer') } }

export const RequiresEmail: Story = { args: { value: show('requiresEmail') } }

export const AwaitingPaymentNative: Story = { args: { value: show('awaitingPaymentNative') } }

export const AwaitingPaymentUsdc: Story = { args: { value: show('awaitingPaymentUsdc') } }

export const InsufficientFunds: Story = { args: { value: show('insufficientFunds') } }

export const InsufficientFundsForGas: Story = { args: { value: show('insufficientFundsForGas') } }

export const Expired: Story = { args: { value: show('expired') } }

export const ItemUnavailable: Story = { args: { value: show('itemUnavailable') } }

export const AllUnavailable: Story = { args: { value: show('allUnavailable') } }

export const PaymentInProgress: Story = { args: { value: show('paymentInProgress') } }

export const Underpaid: Story = { args: { value: show('underpaid') } }

export const UnderpaidRefunded: Story = { args: { value: show('underpaidRefunded') } }

export const PaidTooLate: Story = { args: { value: show('paidTooLate') } }

export const PaymentNotFound: Story = { args: { value: show('paymentNotFound') } }

export const PaymentFailed: Story = { args: { value: show('paymentFailed') } }

export const PaymentFailedForFunds: Story = { args: { value: show('paymentFailedForFunds') } }

export const RequiresIdentity: Story = { args: { value: show('requiresIdentity') } }

export const IdentityChecked: Story = { args: { value: show('identityChecked') } }

export const IdentityRefused: Story = { args: { value: show('identityRefused') } }

export const Delivering: Story = { args: { value: show('delivering') } }

export const PartlyDelivered: Story = { args: { value: show('partlyDelivered') } }

export const Completed: Story = { args: { value: show('completed') } }

export const CompletedOnSolana: Story = { args: { value: show('completedOnSolana') } }

export const ExcessRefunded: Story = { args: { value: show('excessRefunded') } }

export const CompletedWithFailure: Story = { args: { value: show('completedWithFailure') } }

export const NothingDelivered: Story = { args: { value: show('nothingDelivered') } }

export const UnknownFutureState: Story = { args: { value: show('unknownFutureState') } }
