import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fireEvent, fn, within } from 'storybook/test'
import { createCheckout } from '../fixtures/checkout.js'
import { orders } from '../fixtures/orders.js'
import { steps } from '../fixtures/steps.js'
import { Rehearsal } from './examples/Rehearsal.js'

const at = (step: keyof typeof steps) => createCheckout(orders.awaitingPaymentNative, { step: steps[step] })

const meta = {
  title: 'Checkout/Behaviour',
  component: Rehearsal,
  args: { value: at('idle'), next: steps.awaitingSignature, onPay: fn() },
} satisfies Meta<typeof Rehearsal>

export default meta

type Story = StoryObj<typeof meta>

const total = { amount: '0.042', currency: 'eth' }

/** The price has moved: the first press accepts the new one, only the second pays it. */
export const ANewPriceIsAcceptedFirst: Story = {
  args: { value: at('priceChanged') },
  play: async ({ args, canvasElement }) => {
    const { getByRole, queryByRole } = within(canvasElement)
    const button = getByRole('button', { name: 'Accept 0.042\u00a0ETH' })
    await fireEvent.click(button)
    await expect(args.onPay).not.toHaveBeenCalled()
    await expect(queryByRole('alert')).toBe(null)
    await expect(button).toHaveTextContent('Pay 0.042 ETH')
    await fireEvent.click(button)
    await expect(args.onPay).toHaveBeenCalledTimes(1)
    await expect(args.onPay).toHaveBeenCalledWith({ total })
  },
}

/** The second half of a double click was meant for what the button said at the first. */
export const ADoubleClickAcceptsAndDoesNotPay: Story = {
  args: { value: at('priceChanged') },
  play: async ({ args, canvasElement }) => {
    const button = within(canvasElement).getByRole('button')
    await fireEvent.click(button, { detail: 1 })
    await fireEvent.click(button, { detail: 2 })
    await expect(args.onPay).not.toHaveBeenCalled()
    await expect(button).toHaveTextContent('Pay 0.042 ETH')
  },
}

/** A payment may be under way: another one is made only by a press that says so. */
export const PayingAgainIsAChoice: Story = {
  args: { value: at('uncertain') },
  play: async ({ args, canvasElement }) => {
    const { getByRole } = within(canvasElement)
    await expect(getByRole('alert')).toHaveTextContent('Check your wallet')
    await fireEvent.click(getByRole('button', { name: 'Pay again' }))
    await expect(args.onPay).toHaveBeenCalledTimes(1)
    await expect(args.onPay).toHaveBeenCalledWith({ total, isAgain: true })
  },
}

/** A double press pays once, and the focus stays in its place. */
export const ASecondPressChangesNothing: Story = {
  play: async ({ args, canvasElement }) => {
    const button = within(canvasElement).getByRole('button')
    button.focus()
    await fireEvent.click(button)
    await fireEvent.click(button)
    await expect(args.onPay).toHaveBeenCalledTimes(1)
    await expect(button).toHaveTextContent('Confirm in your wallet…')
    await expect(button).toHaveFocus()
  },
}

/** What the service prepared is not what the order says: pressing again cannot mend it, and the button says so. */
export const AWrongPaymentIsNotTriedAgain: Story = {
  args: { next: steps.recipientMismatch },
  play: async ({ args, canvasElement }) => {
    const { getByRole } = within(canvasElement)
    const button = getByRole('button')
    button.focus()
    await fireEvent.click(button)
    await fireEvent.click(button)
    await expect(args.onPay).toHaveBeenCalledTimes(1)
    await expect(button).toHaveTextContent('Payment stopped')
    await expect(button).toHaveFocus()
    await expect(getByRole('alert')).toHaveAttribute('data-remedy', 'contact-shop')
  },
}
