import type { Meta, StoryObj } from '@storybook/react-vite'
import { payError } from '../../src/errors/index.js'
import { createCheckout } from '../fixtures/checkout.js'
import { momentControl } from '../fixtures/moments.js'
import { orders } from '../fixtures/orders.js'
import type { PayErrorName } from '../fixtures/payErrors.js'
import { steps, toStep } from '../fixtures/steps.js'
import { Composed } from './examples/Composed.js'

const after = (error: PayErrorName, order = orders.awaitingPaymentNative) =>
  createCheckout(order, { step: steps[error] })

const meta = {
  title: 'Checkout/Pay errors',
  component: Composed,
  argTypes: { value: momentControl },
  args: { value: after('rejected') },
} satisfies Meta<typeof Composed>

export default meta

type Story = StoryObj<typeof meta>

export const NotConnected: Story = { args: { value: after('notConnected') } }

export const NotPayable: Story = { args: { value: after('notPayable') } }

export const QuoteExpired: Story = { args: { value: after('quoteExpired') } }

export const PriceChanged: Story = { args: { value: after('priceChanged') } }

export const PreparationInvalid: Story = { args: { value: after('preparationInvalid') } }

export const AmountMismatch: Story = { args: { value: after('amountMismatch') } }

export const ChainMismatch: Story = { args: { value: after('chainMismatch') } }

export const TokenUnknown: Story = { args: { value: after('tokenUnknown') } }

export const TokenMismatch: Story = { args: { value: after('tokenMismatch') } }

export const RecipientMismatch: Story = { args: { value: after('recipientMismatch') } }

export const CallNotAllowed: Story = { args: { value: after('callNotAllowed') } }

export const WouldRevert: Story = { args: { value: after('wouldRevert') } }

export const Vetoed: Story = { args: { value: after('vetoed') } }

export const WrongAccount: Story = { args: { value: after('wrongAccount') } }

export const WrongChain: Story = { args: { value: after('wrongChain') } }

export const ChainNotConfigured: Story = { args: { value: after('chainNotConfigured') } }

export const InsufficientFunds: Story = { args: { value: after('insufficientFunds') } }

export const InsufficientFundsForGas: Story = { args: { value: after('insufficientFundsForGas') } }

export const Rejected: Story = { args: { value: after('rejected') } }

export const Reverted: Story = { args: { value: after('reverted') } }

export const Cancelled: Story = { args: { value: after('cancelled') } }

export const Replaced: Story = { args: { value: after('replaced') } }

export const Dropped: Story = { args: { value: after('dropped') } }

export const Expired: Story = { args: { value: after('expired') } }

export const SignatureRefused: Story = { args: { value: after('signatureRefused') } }

export const ChainUnavailable: Story = { args: { value: after('chainUnavailable') } }

export const WalletFailed: Story = { args: { value: after('walletFailed') } }

export const Uncertain: Story = { args: { value: after('uncertain') } }

export const InOtherTab: Story = { args: { value: after('inOtherTab') } }

export const OrderChanged: Story = { args: { value: after('orderChanged') } }

/** The account is sending something, perhaps the payment. */
export const UncertainWithAnOpenTransaction: Story = {
  args: {
    value: createCheckout(orders.awaitingPaymentNative, {
      step: toStep(
        payError('pay.uncertain', {
          attemptedAt: '2026-03-02T12:03:10.000Z',
          hasOpenTransaction: true,
        }),
      ),
    }),
  },
}

/** The price expired while the payment's outcome was unknown. */
export const UncertainPastTheQuote: Story = { args: { value: after('uncertain', orders.expired) } }

/** The new price expired before the buyer accepted it. */
export const PriceChangedPastTheQuote: Story = { args: { value: after('priceChanged', orders.expired) } }
