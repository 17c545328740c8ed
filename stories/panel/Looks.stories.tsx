import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout, type CheckoutValue } from 'kassa'
import type { CSSProperties } from 'react'
import { buyer } from '../fixtures/build.js'
import { createCheckout } from '../fixtures/checkout.js'
import { momentControl } from '../fixtures/moments.js'
import { type OrderName, orders } from '../fixtures/orders.js'
import { steps } from '../fixtures/steps.js'
import { Wallet } from '../fixtures/wallet.js'

const show = (name: OrderName, changes: Partial<CheckoutValue> = {}) =>
  createCheckout(orders[name], { edit: () => {}, ...changes })

const meta = {
  title: 'Checkout/Panel/Looks',
  component: Checkout.Panel,
  argTypes: { value: momentControl },
  args: { value: show('awaitingPaymentNative') },
  render: (args, { parameters }) => (
    <div style={parameters.around}>
      <Wallet account={buyer}>
        <Checkout.Panel {...args} />
      </Wallet>
    </div>
  ),
} satisfies Meta<typeof Checkout.Panel>

export default meta

type Story = StoryObj<typeof meta>

const dark = { theme: 'dark' }

export const Dark: Story = { globals: dark }

export const DarkForm: Story = { globals: dark, args: { value: show('requiresPhysicalAddress') } }

export const DarkError: Story = {
  globals: dark,
  args: { value: show('awaitingPaymentNative', { step: steps.recipientMismatch }) },
}

export const DarkDelivery: Story = { globals: dark, args: { value: show('partlyDelivered') } }

export const DarkReceipt: Story = { globals: dark, args: { value: show('completedWithFailure') } }

export const German: Story = { globals: { locale: 'de-DE' }, args: { value: show('insufficientFunds') } }

export const Japanese: Story = { globals: { locale: 'ja-JP' }, args: { value: show('partlyDelivered') } }

export const Thai: Story = { globals: { locale: 'th-TH' }, args: { value: show('requiresPhysicalAddress') } }

export const RightToLeft: Story = { globals: { direction: 'rtl' } }

export const RightToLeftDelivery: Story = {
  globals: { direction: 'rtl' },
  args: { value: show('partlyDelivered') },
}

/** As wide as a page at 400 % is: nothing scrolls sideways. */
export const Narrow: Story = {
  args: { value: show('awaitingPaymentUsdc') },
  parameters: { around: { maxWidth: '16rem' } satisfies CSSProperties },
}

const brand = {
  '--kassa-accent': '#0d6a4d',
  '--kassa-radius': '1.5rem',
  '--kassa-font': 'Georgia, serif',
}

/** A shop's own accent, corners and letters. */
export const Branded: Story = { parameters: { around: brand } }

export const BrandedReceipt: Story = {
  parameters: { around: brand },
  args: { value: show('completed') },
}

const bare = { '--kassa-frame': 'none', '--kassa-padding': '0', '--kassa-surface': 'transparent' }

/** Without a frame, as a part of the page. */
export const Frameless: Story = { parameters: { around: bare } }
