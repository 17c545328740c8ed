import type { Meta, StoryObj } from '@storybook/react-vite'
import { createCheckout } from '../fixtures/checkout.js'
import { momentControl } from '../fixtures/moments.js'
import { orders } from '../fixtures/orders.js'
import { Composed } from './examples/Composed.js'

const meta = {
  title: 'Checkout/Order states',
  component: Composed,
  argTypes: { value: momentControl },
  args: { value: createCheckout(undefined) },
} satisfies Meta<typeof Composed>

export default meta

type Story = StoryObj<typeof meta>

export const Loading: Story = {}

export const RequiresRecipient: Story = { args: { value: createCheckout(orders.requiresRecipient) } }

export const RequiresPhysicalAddress: Story = {
  args: { value: createCheckout(orders.requiresPhysicalAddress) },
}

export const RequiresPayer: Story = { args: { value: createCheckout(orders.requiresPayer) } }

export const RequiresEmail: Story = { args: { value: createCheckout(orders.requiresEmail) } }

export const AwaitingPaymentNative: Story = { args: { value: createCheckout(orders.awaitingPaymentNative) } }

export const AwaitingPaymentUsdc: Story = { args: { value: createCheckout(orders.awaitingPaymentUsdc) } }

export const AwaitingPaymentSol: Story = { args: { value: createCheckout(orders.awaitingPaymentSol) } }

export const AwaitingPaymentUsdcOnSolana: Story = {
  args: { value: createCheckout(orders.awaitingPaymentUsdcOnSolana) },
}

export const InsufficientFunds: Story = { args: { value: createCheckout(orders.insufficientFunds) } }

export const InsufficientFundsForGas: Story = {
  args: { value: createCheckout(orders.insufficientFundsForGas) },
}

export const InsufficientFundsOnSolana: Story = {
  args: { value: createCheckout(orders.insufficientFundsOnSolana) },
}

export const Expired: Story = { args: { value: createCheckout(orders.expired) } }

export const ItemUnavailable: Story = { args: { value: createCheckout(orders.itemUnavailable) } }

export const AllUnavailable: Story = { args: { value: createCheckout(orders.allUnavailable) } }

export const PaymentInProgress: Story = { args: { value: createCheckout(orders.paymentInProgress) } }

export const PaymentInProgressOnSolana: Story = {
  args: { value: createCheckout(orders.paymentInProgressOnSolana) },
}

export const Underpaid: Story = { args: { value: createCheckout(orders.underpaid) } }

export const OtherCurrencyRefunded: Story = { args: { value: createCheckout(orders.otherCurrencyRefunded) } }

export const UnderpaidRefunded: Story = { args: { value: createCheckout(orders.underpaidRefunded) } }

export const PaidTooLate: Story = { args: { value: createCheckout(orders.paidTooLate) } }

export const PaymentNotFound: Story = { args: { value: createCheckout(orders.paymentNotFound) } }

export const PaymentFailed: Story = { args: { value: createCheckout(orders.paymentFailed) } }

export const PaymentFailedForFunds: Story = { args: { value: createCheckout(orders.paymentFailedForFunds) } }

export const RequiresIdentity: Story = { args: { value: createCheckout(orders.requiresIdentity) } }

export const IdentityChecked: Story = { args: { value: createCheckout(orders.identityChecked) } }

export const IdentityRefused: Story = { args: { value: createCheckout(orders.identityRefused) } }

export const Delivering: Story = { args: { value: createCheckout(orders.delivering) } }

export const PartlyDelivered: Story = { args: { value: createCheckout(orders.partlyDelivered) } }

export const Completed: Story = { args: { value: createCheckout(orders.completed) } }

export const CompletedOnSolana: Story = { args: { value: createCheckout(orders.completedOnSolana) } }

export const RefundNeedsAddress: Story = { args: { value: createCheckout(orders.refundNeedsAddress) } }
export const ExcessRefunded: Story = { args: { value: createCheckout(orders.excessRefunded) } }

export const RefundedInPart: Story = { args: { value: createCheckout(orders.refundedInPart) } }

export const Free: Story = { args: { value: createCheckout(orders.free) } }

export const Claimed: Story = { args: { value: createCheckout(orders.claimed) } }

export const WaitingForShop: Story = { args: { value: createCheckout(orders.waitingForShop) } }

export const NotConfirmed: Story = { args: { value: createCheckout(orders.notConfirmed) } }

export const RefundedWhole: Story = { args: { value: createCheckout(orders.refundedWhole) } }

export const CompletedWithFailure: Story = { args: { value: createCheckout(orders.completedWithFailure) } }

export const NothingDelivered: Story = { args: { value: createCheckout(orders.nothingDelivered) } }

export const UnknownFutureState: Story = { args: { value: createCheckout(orders.unknownFutureState) } }
