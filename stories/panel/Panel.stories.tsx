import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import type { Order } from 'kassa/schema'
import { userEvent, within } from 'storybook/test'
import { buyer } from '../fixtures/build.js'
import { createCheckout } from '../fixtures/checkout.js'
import { momentControl } from '../fixtures/moments.js'
import { type OrderName, orders } from '../fixtures/orders.js'
import { discounted, limitReached, opensAt, saleEnded, saleNotStarted } from '../fixtures/sale.js'
import { type SolanaOptions, solanaBuyer, solanaOrders } from '../fixtures/solana.js'
import { connectedBuyer, contracts, stranger, Wallet } from '../fixtures/wallet.js'

const edit = () => {}

const show = (name: OrderName) => createCheckout(orders[name], { edit })

/** A story of an order on Solana. Its buyer is connected by default. */
const onSolana = (order: Order, solana: SolanaOptions = { address: solanaBuyer, balance: 120_000_000n }) => ({
  args: { value: createCheckout(order, { edit }) },
  render: (args: Checkout.Panel.Props) => (
    <Wallet solana={solana}>
      <Checkout.Panel {...args} />
    </Wallet>
  ),
})

const meta = {
  title: 'Checkout/Panel',
  component: Checkout.Panel,
  argTypes: { value: momentControl },
  args: { value: createCheckout(undefined) },
  render: (args) => (
    <Wallet account={buyer}>
      <Checkout.Panel {...args} />
    </Wallet>
  ),
} satisfies Meta<typeof Checkout.Panel>

export default meta

type Story = StoryObj<typeof meta>

export const Loading: Story = {}

export const RequiresRecipient: Story = { args: { value: show('requiresRecipient') } }

export const RequiresPhysicalAddress: Story = { args: { value: show('requiresPhysicalAddress') } }

export const RequiresPayer: Story = { args: { value: show('requiresPayer') } }

export const RequiresPayerOnSolana: Story = onSolana(solanaOrders.requiresPayer, {})

export const RequiresEmail: Story = { args: { value: show('requiresEmail') } }

export const AwaitingPaymentNative: Story = { args: { value: show('awaitingPaymentNative') } }

export const AwaitingPaymentUsdc: Story = { args: { value: show('awaitingPaymentUsdc') } }

export const AwaitingPaymentSol: Story = onSolana(orders.awaitingPaymentSol)

export const AwaitingPaymentUsdcOnSolana: Story = onSolana(orders.awaitingPaymentUsdcOnSolana)

export const InsufficientFunds: Story = { args: { value: show('insufficientFunds') } }

export const InsufficientFundsForGas: Story = { args: { value: show('insufficientFundsForGas') } }

export const InsufficientFundsOnSolana: Story = onSolana(orders.insufficientFundsOnSolana)

export const Expired: Story = { args: { value: show('expired') } }

export const ItemUnavailable: Story = { args: { value: show('itemUnavailable') } }

export const AllUnavailable: Story = {
  args: { value: show('allUnavailable'), fallback: <a href="#editions">All editions</a> },
}

export const SaleNotStarted: Story = { args: { value: createCheckout(saleNotStarted, { edit }) } }

/** The sale has opened since the order was quoted. */
export const SaleOpened: Story = {
  args: { value: createCheckout(saleNotStarted, { edit, nowMs: Date.parse(opensAt) }) },
}

export const SaleEnded: Story = { args: { value: createCheckout(saleEnded, { edit }) } }

export const LimitReached: Story = { args: { value: createCheckout(limitReached, { edit }) } }

export const Discounted: Story = { args: { value: createCheckout(discounted, { edit }) } }

export const PaymentInProgress: Story = { args: { value: show('paymentInProgress') } }

export const PaymentInProgressOnSolana: Story = onSolana(orders.paymentInProgressOnSolana)

export const Underpaid: Story = { args: { value: show('underpaid') } }

export const OtherCurrencyRefunded: Story = { args: { value: show('otherCurrencyRefunded') } }

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

export const CompletedOnSolana: Story = onSolana(orders.completedOnSolana)

export const RefundNeedsAddress: Story = { args: { value: show('refundNeedsAddress') } }

const { awaitingPaymentNative, refundNeedsAddress } = orders

/** A new price can be paid while the refund of the payment before waits for its address. */
export const RefundNeedsAddressAtNewPrice: Story = {
  args: {
    value: createCheckout(
      {
        ...awaitingPaymentNative,
        payment: {
          ...awaitingPaymentNative.payment,
          received: refundNeedsAddress.payment.received,
          transactions: [{ txId: refundNeedsAddress.payment.received?.txId ?? '', use: 'returned' }],
          refundHeld: refundNeedsAddress.payment.refundHeld,
        },
      },
      { edit },
    ),
  },
}

export const RefundAddressNamed: Story = {
  args: {
    value: createCheckout(
      {
        ...awaitingPaymentNative,
        payment: { ...awaitingPaymentNative.payment, refundAddress: connectedBuyer },
      },
      { edit },
    ),
  },
}

/** The order is for someone else, whom the buyer can change. */
export const ForSomeoneElse: Story = {
  args: {
    value: createCheckout(
      {
        ...awaitingPaymentNative,
        lineItems: awaitingPaymentNative.lineItems.map((each) => ({
          ...each,
          delivery: {
            ...each.delivery,
            recipient: { email: 'a.rather.long.name.of.a.person@mail.example.com', walletAddress: stranger },
          },
        })),
      },
      { edit },
    ),
  },
}

/** The form that changes whom the order is for. */
export const RecipientChanging: Story = {
  ...ForSomeoneElse,
  play: async ({ canvasElement }) => {
    await userEvent.click(await within(canvasElement).findByText('Change'))
  },
}

/** A buyer whose wallet is on a phone scans the code. */
export const FromAnotherDevice: Story = {
  args: { value: show('awaitingPaymentUsdc') },
  render: (args) => (
    <Wallet contracts={contracts}>
      <Checkout.Panel {...args} />
    </Wallet>
  ),
  play: async ({ canvasElement }) => {
    const canvas = within(canvasElement)
    await userEvent.click(await canvas.findByText('Pay from another device'))
    await canvas.findByRole('img', { name: /^QR code/ })
  },
}

export const ExcessRefunded: Story = { args: { value: show('excessRefunded') } }

export const RefundedInPart: Story = { args: { value: show('refundedInPart') } }

export const Free: Story = { args: { value: show('free') } }

export const Claimed: Story = { args: { value: show('claimed') } }

export const WaitingForShop: Story = { args: { value: show('waitingForShop') } }

export const NotConfirmed: Story = { args: { value: show('notConfirmed') } }

export const RefundedWhole: Story = { args: { value: show('refundedWhole') } }

export const CompletedWithFailure: Story = { args: { value: show('completedWithFailure') } }

export const NothingDelivered: Story = { args: { value: show('nothingDelivered') } }

export const UnknownFutureState: Story = { args: { value: show('unknownFutureState') } }
