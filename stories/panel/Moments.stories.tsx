import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import { parseEther } from 'viem'
import { apiError } from '../../src/errors/index.js'
import { buyer, item, nativePreparation, order } from '../fixtures/build.js'
import { createCheckout, nowMs } from '../fixtures/checkout.js'
import { momentControl } from '../fixtures/moments.js'
import { orders } from '../fixtures/orders.js'
import { type StepName, steps } from '../fixtures/steps.js'
import { Wallet } from '../fixtures/wallet.js'

const ready = orders.awaitingPaymentNative

const at = (step: StepName) => createCheckout(ready, { edit: () => {}, step: steps[step] })

const meta = {
  title: 'Checkout/Panel/Moments',
  component: Checkout.Panel,
  argTypes: { value: momentControl },
  args: { value: at('idle') },
  render: (args, { parameters }) => (
    <Wallet account={buyer} {...parameters.wallet}>
      <Checkout.Panel {...args} />
    </Wallet>
  ),
} satisfies Meta<typeof Checkout.Panel>

export default meta

type Story = StoryObj<typeof meta>

/** Without a connected wallet, the buyer sees the available ones; the pay button appears afterwards. */
export const WalletToConnect: Story = { parameters: { wallet: { account: undefined } } }

export const NoWallet: Story = { parameters: { wallet: { account: undefined, connectors: [] } } }

const eth = (amount: string) => ({ amount, currency: 'eth' })

export const TaxedAndShipped: Story = {
  args: {
    value: createCheckout(
      order({
        lineItems: [
          item({
            quote: { charges: { unit: eth('0.012'), salesTax: eth('0.00228'), shipping: eth('0.004') } },
          }),
        ],
        quote: { totalPrice: eth('0.01828') },
        payment: { preparation: nativePreparation },
      }),
      { edit: () => {} },
    ),
  },
}

/** The total in dollars, the network's fee, and what the wallet holds. */
export const WhatItCosts: Story = {
  parameters: { wallet: { balance: parseEther('1.5') } },
  args: {
    value: createCheckout(
      order({
        quote: { totalPrice: { ...eth('0.042'), fiat: { amount: '126.00', currency: 'usd' } } },
        payment: { preparation: nativePreparation },
      }),
      { edit: () => {} },
    ),
  },
}

/** Names and amounts that take more room than usual. */
export const LongNames: Story = {
  args: {
    value: createCheckout(
      order({
        lineItems: [
          item({
            quantity: 12,
            metadata: { name: 'The Lighthouse Keeper’s Unfinished Correspondence, Volume Two' },
            quote: { totalPrice: eth('1234567.012345678901234567') },
          }),
          item({ metadata: { name: 'Donaudampfschifffahrtsgesellschaftskapitänsmütze' } }),
        ],
        quote: { totalPrice: eth('1234567.024345678901234567') },
        payment: { preparation: nativePreparation },
      }),
      { edit: () => {} },
    ),
  },
}

export const Signing: Story = { args: { value: at('awaitingSignature') } }

export const Confirming: Story = { args: { value: at('confirming') } }

export const Declined: Story = { args: { value: at('rejected') } }

export const PriceChanged: Story = { args: { value: at('priceChanged') } }

export const Uncertain: Story = { args: { value: at('uncertain') } }

export const Stopped: Story = { args: { value: at('recipientMismatch') } }

export const LastMinute: Story = { args: { value: createCheckout(ready, { nowMs: nowMs + 280_000 }) } }

/** An order that cannot be opened has nothing to show but why. */
export const Lost: Story = {
  args: {
    value: createCheckout(undefined, {
      error: apiError('api.not-found', { status: 404, message: 'Not found' }),
    }),
  },
}
