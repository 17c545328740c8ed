import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import { expect, waitFor } from 'storybook/test'
import { useConnectors } from 'wagmi'
import { createCheckout } from '../fixtures/checkout.js'
import { inCheckout, withWallet } from '../fixtures/decorators.js'
import { orders } from '../fixtures/orders.js'
import { announced, type WalletOptions } from '../fixtures/wallet.js'

/** The first wallet there is. */
function First() {
  const [connector] = useConnectors()
  return connector && <Checkout.Wallet connector={connector} />
}

const meta = {
  title: 'Parts/Wallet',
  component: First,
  decorators: [inCheckout, withWallet],
  parameters: { checkout: createCheckout(orders.requiresPayer) },
} satisfies Meta<typeof First>

export default meta

type Story = StoryObj<typeof meta>

export const Default: Story = {}

export const Declined: Story = {
  parameters: {
    wallet: { connectors: [announced('Meadow', '#2f855a', { connectError: true })] } satisfies WalletOptions,
  },
  play: async ({ canvas, userEvent }) => {
    const button = canvas.getByRole('button')
    await userEvent.click(button)
    // It can be asked again, and nothing has failed.
    await waitFor(() => expect(button.getAttribute('aria-disabled')).toBe(null))
    await expect(button.dataset.failed).toBe(undefined)
  },
}
