import type { Meta, StoryObj } from '@storybook/react-vite'
import { createClient } from 'kassa'
import { useState } from 'react'
import { expect, within } from 'storybook/test'
import { createCheckout } from '../fixtures/checkout.js'
import { createScriptedFetch } from '../fixtures/fetch.js'
import { orders } from '../fixtures/orders.js'
import { createScriptedWallet } from '../fixtures/scriptedWallet.js'
import { steps } from '../fixtures/steps.js'
import { Composed as ComposedExample } from './examples/Composed.js'
import { Minimal as MinimalExample } from './examples/Minimal.js'
import { Providers } from './examples/Providers.js'

const meta = { title: 'Checkout/The whole' } satisfies Meta

export default meta

const ready = createCheckout(orders.awaitingPaymentNative)

export const Composed: StoryObj = { render: () => <ComposedExample value={ready} /> }

export const Minimal: StoryObj = { render: () => <MinimalExample value={ready} /> }

/** The bare parts: without a stylesheet they look as the browser draws their elements. */
export const Unstyled: StoryObj = {
  parameters: { isUnstyled: true, docs: { story: { inline: false, height: '32rem' } } },
  render: () => <ComposedExample value={ready} />,
}

const createShop = () => ({
  client: createClient({
    baseUrl: 'https://shop.example/api',
    fetch: createScriptedFetch([orders.paymentInProgress, orders.partlyDelivered, orders.completed]),
  }),
  config: createScriptedWallet().config,
})

function Followed() {
  const [shop] = useState(createShop)
  return (
    <Providers {...shop}>
      <ComposedExample orderId={orders.completed.orderId} clientSecret="a-secret-only-this-browser-holds" />
    </Providers>
  )
}

/** The order is read by its id; it is paid already, and is delivered while you look. */
export const ByOrderId: StoryObj = {
  render: () => <Followed />,
  play: async ({ canvasElement }) => {
    const receipt = await within(canvasElement).findByRole('region', { name: 'Receipt' })
    await expect(within(receipt).getAllByRole('listitem')).toHaveLength(2)
  },
}

const dark = { theme: 'dark' }

export const InTheDark: StoryObj = { ...Composed, globals: dark }

export const FailureInTheDark: StoryObj = {
  globals: dark,
  render: () => (
    <ComposedExample value={createCheckout(orders.awaitingPaymentNative, { step: steps.wrongAccount })} />
  ),
}

export const StoppedInTheDark: StoryObj = {
  globals: dark,
  render: () => (
    <ComposedExample
      value={createCheckout(orders.awaitingPaymentNative, { step: steps.recipientMismatch })}
    />
  ),
}

export const PayingAgainInTheDark: StoryObj = {
  globals: dark,
  render: () => (
    <ComposedExample value={createCheckout(orders.awaitingPaymentNative, { step: steps.uncertain })} />
  ),
}

export const DeclinedInTheDark: StoryObj = {
  globals: dark,
  render: () => (
    <ComposedExample value={createCheckout(orders.awaitingPaymentNative, { step: steps.rejected })} />
  ),
}

export const ReceiptInTheDark: StoryObj = {
  globals: dark,
  render: () => <ComposedExample value={createCheckout(orders.completedWithFailure)} />,
}
