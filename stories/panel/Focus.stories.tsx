import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout, type CheckoutValue } from 'kassa'
import { useState } from 'react'
import { expect, fireEvent, userEvent, waitFor, within } from 'storybook/test'
import { buyer } from '../fixtures/build.js'
import { createCheckout } from '../fixtures/checkout.js'
import { type OrderName, orders } from '../fixtures/orders.js'
import { steps } from '../fixtures/steps.js'
import { Wallet } from '../fixtures/wallet.js'

/** A panel that goes from one moment to the next when its buyer does something, or when time passes. */
function Journey({ moments }: { moments: readonly CheckoutValue[] }) {
  const [at, setAt] = useState(0)
  const next = () => setAt((last) => last + 1)
  const moment = moments[at] ?? createCheckout(undefined)
  return (
    <>
      <Checkout.Panel value={{ ...moment, edit: next, pay: next }} />
      <p style={{ textAlign: 'center' }}>
        <button type="button" onClick={next}>
          Let time pass
        </button>
      </p>
    </>
  )
}

const of = (name: OrderName, step: keyof typeof steps = 'idle') =>
  createCheckout(orders[name], { step: steps[step] })

const meta = {
  title: 'Checkout/Panel/Focus',
  component: Journey,
  args: { moments: [] },
  render: (args, { parameters }) => (
    <Wallet {...parameters.wallet}>
      <Journey {...args} />
    </Wallet>
  ),
} satisfies Meta<typeof Journey>

export default meta

type Story = StoryObj<typeof meta>

const haveFocus = (find: () => HTMLElement) => waitFor(() => expect(find()).toHaveFocus())

/** By keyboard alone from who gets it to what is delivered; the focus is never lost on the way. */
export const FollowsThePurchase: Story = {
  parameters: { wallet: { account: buyer } },
  args: {
    moments: [
      of('requiresRecipient'),
      of('requiresPhysicalAddress'),
      of('awaitingPaymentNative'),
      of('awaitingPaymentNative', 'awaitingSignature'),
      of('paymentInProgress', 'confirming'),
      of('delivering', 'paid'),
      of('completed', 'paid'),
    ],
  },
  play: async ({ canvasElement }) => {
    const { getByRole, getByLabelText } = within(canvasElement)
    const passTime = () => fireEvent.click(getByRole('button', { name: 'Let time pass' }))
    const pay = () => getByRole('button', { name: /^(Pay 0|Confirm)/ })
    const panel = () => getByRole('region', { name: 'Your order' })
    await userEvent.clear(getByLabelText(/wallet address/))
    await userEvent.keyboard('ada@example.com{Enter}')
    await haveFocus(() => getByLabelText('Full name'))
    await passTime()
    await haveFocus(pay)
    await userEvent.keyboard('{Enter}')
    await haveFocus(pay)
    await passTime()
    await haveFocus(panel)
    await passTime()
    await passTime()
    await expect(getByRole('region', { name: 'Receipt' })).toBeVisible()
    await haveFocus(panel)
  },
}

/** After connecting a wallet, the buyer can pay with the next key press. */
export const FromTheWalletToThePayButton: Story = {
  args: { moments: [of('awaitingPaymentNative')] },
  play: async ({ canvasElement }) => {
    const { getByRole } = within(canvasElement)
    getByRole('button', { name: /Meadow/ }).focus()
    await userEvent.keyboard('{Enter}')
    await haveFocus(() => getByRole('button', { name: /^Pay 0/ }))
  },
}

/** What happens in a checkout takes no focus from elsewhere in the page. */
export const LeavesTheRestOfThePageAlone: Story = {
  parameters: { wallet: { account: buyer } },
  args: { moments: [of('awaitingPaymentNative'), of('paymentInProgress'), of('completed')] },
  play: async ({ canvasElement }) => {
    const { getByRole, findByRole } = within(canvasElement)
    const elsewhere = getByRole('button', { name: 'Let time pass' })
    getByRole('button', { name: /^Pay 0/ }).focus()
    elsewhere.focus()
    fireEvent.click(elsewhere)
    fireEvent.click(elsewhere)
    await findByRole('region', { name: 'Receipt' })
    await expect(elsewhere).toHaveFocus()
  },
}
