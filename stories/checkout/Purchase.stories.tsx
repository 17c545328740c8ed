import type { Meta, StoryObj } from '@storybook/react-vite'
import { type ComponentType, useState } from 'react'
import { expect, fireEvent, waitFor, within } from 'storybook/test'
import { createPurchase, type Purchase } from '../fixtures/purchase.js'
import { ByHooks as ByHooksExample } from './examples/ByHooks.js'
import { Composed } from './examples/Composed.js'
import { FromParts as FromPartsExample } from './examples/FromParts.js'
import { OneLine } from './examples/OneLine.js'
import { Providers } from './examples/Providers.js'

type OrderAccess = { orderId: string; clientSecret: string }

/** Keeps to the purchase it began with: a change of theme is no new one. */
function Shop(props: { purchase: Purchase; checkout: ComponentType<OrderAccess> }) {
  const [{ client, config, orderId, clientSecret }] = useState(props.purchase)
  return (
    <Providers client={client} config={config}>
      <props.checkout orderId={orderId} clientSecret={clientSecret} />
    </Providers>
  )
}

const meta = {
  title: 'Checkout/Purchase',
  tags: ['!autodocs'],
  loaders: [() => ({ purchase: createPurchase() })],
} satisfies Meta

export default meta

type Story = StoryObj

/** From the price to the receipt, as the buyer sees it, while wallet, chain and service do their part one by one. */
export const FromPriceToReceipt: Story = {
  render: (_, { loaded }) => <Shop purchase={loaded.purchase} checkout={Composed} />,
  play: async ({ canvasElement, loaded, step }) => {
    const purchase: Purchase = loaded.purchase
    const canvas = within(canvasElement)
    const isAt = async (state: Record<string, string>, status: string): Promise<void> => {
      const checkout = canvas.getByRole('region', { name: 'Your order' })
      await waitFor(() => {
        for (const [name, value] of Object.entries(state)) expect(checkout).toHaveAttribute(name, value)
        expect(canvas.getByRole('status')).toHaveTextContent(status)
      })
    }
    const button = await canvas.findByRole('button', { name: 'Pay 0.042\u00a0ETH' })

    await step('idle: the price and the button that pays it', async () => {
      await isAt({ 'data-stage': 'ready-to-pay', 'data-step': 'idle' }, '')
      await expect(canvas.getByText(/^Price locked for 5:/)).toBeVisible()
    })
    await step('signing: the wallet was asked, once', async () => {
      await fireEvent.click(button)
      await isAt({ 'data-step': 'awaiting-signature' }, 'Confirm in your wallet…')
      await expect(button).toHaveAttribute('aria-disabled', 'true')
      await expect(button).toHaveAttribute('data-pending')
    })
    await step('broadcast: the wallet has sent it, and no node has seen it yet', async () => {
      purchase.sign()
      await isAt({ 'data-step': 'broadcast' }, 'Confirming payment…')
    })
    await step('confirming: the network knows the payment', async () => {
      purchase.hear()
      await isAt({ 'data-step': 'confirming' }, 'Confirming payment…')
    })
    await step('paid: it is in a block', async () => {
      purchase.mine()
      await isAt({ 'data-stage': 'ready-to-pay', 'data-step': 'paid' }, 'Confirming payment…')
      await expect(button).toHaveAttribute('aria-disabled', 'true')
    })
    await step('paying: the service has seen it', async () => {
      purchase.show('paymentInProgress')
      await isAt({ 'data-stage': 'paying' }, 'Confirming payment…')
    })
    await step('delivering: item by item', async () => {
      purchase.show('delivering')
      await isAt({ 'data-stage': 'delivering' }, 'Paid. Your order is being delivered.')
      purchase.show('partlyDelivered')
      await isAt({ 'data-stage': 'delivering' }, '1 of 2')
      await expect(canvas.queryByRole('alert')).toBe(null)
    })
    await step('receipt: everything has arrived', async () => {
      purchase.show('completed')
      const receipt = await canvas.findByRole('region', { name: 'Receipt' })
      await expect(within(receipt).getAllByRole('listitem')).toHaveLength(2)
      await isAt({ 'data-stage': 'completed' }, 'Delivered.')
    })
  },
}

/** The same wallet, chain and service around a checkout from hooks alone. */
export const ByHooks: Story = {
  render: (_, { loaded }) => <Shop purchase={loaded.purchase} checkout={ByHooksExample} />,
  play: async ({ canvasElement, loaded }) => {
    const purchase: Purchase = loaded.purchase
    const { findByRole, findByText } = within(canvasElement)
    await fireEvent.click(await findByRole('button', { name: 'Pay' }))
    await findByRole('button', { name: 'Paying…' })
    purchase.sign()
    purchase.hear()
    purchase.mine()
    purchase.show('completed')
    await findByText('Delivered.', {})
  },
}

/** Parts without any markup of the shop's own, in the library's own look. */
export const FromParts: Story = {
  render: (_, { loaded }) => <Shop purchase={loaded.purchase} checkout={FromPartsExample} />,
}

/** The ready checkout in the library's own look. */
export const InOneLine: Story = {
  render: (_, { loaded }) => <Shop purchase={loaded.purchase} checkout={OneLine} />,
  play: async ({ canvasElement, loaded }) => {
    const purchase: Purchase = loaded.purchase
    const { findByRole } = within(canvasElement)
    await fireEvent.click(await findByRole('button', { name: 'Pay 0.042\u00a0ETH' }))
    await findByRole('button', { name: 'Confirm in your wallet…' })
    purchase.sign()
    purchase.hear()
    purchase.mine()
    purchase.show('completed')
    await findByRole('region', { name: 'Receipt' })
  },
}
