import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import { expect, fn, userEvent, within } from 'storybook/test'
import { whileEditing } from '../fixtures/decorators.js'
import type { Editing } from '../fixtures/Editing.js'
import { orders } from '../fixtures/orders.js'
import { connectedBuyer, stranger, Wallet } from '../fixtures/wallet.js'

const meta = {
  title: 'Parts/RecipientForm',
  component: Checkout.RecipientForm,
  parameters: { editing: { order: orders.requiresRecipient } satisfies Editing },
  decorators: [whileEditing],
} satisfies Meta<typeof Checkout.RecipientForm>

export default meta

type Story = StoryObj<typeof meta>

export const Default: Story = {}

export const AnEMailAddressOnly: Story = { args: { asksFor: 'email' } }

export const AWalletOnly: Story = { args: { asksFor: 'walletAddress' } }

/** A wallet is connected: its address is offered. */
export const AWalletIsOffered: Story = {
  decorators: [
    (Story) => (
      <Wallet account={connectedBuyer}>
        <Story />
      </Wallet>
    ),
  ],
}

/** Open although the order asks for nothing: whom it is for can be changed until it is paid. */
export const OpenToChange: Story = {
  parameters: { editing: { order: orders.awaitingPaymentNative } satisfies Editing },
  args: { isOpen: true },
}

const onEdit = fn()

/** Enter sends it; what cannot be right is said at once and never sent. */
export const Wrong: Story = {
  parameters: { editing: { order: orders.requiresRecipient, onEdit } satisfies Editing },
  play: async ({ canvasElement }) => {
    const input = within(canvasElement).getByRole('textbox')
    await userEvent.type(input, 'ada@example{Enter}')
    await expect(input).toHaveAccessibleDescription('Write it like name@example.com.')
    await expect(input).toHaveFocus()
    await expect(onEdit).not.toHaveBeenCalled()
  },
}

/** While it is saved it says so; a second Enter does nothing. */
export const Saving: Story = {
  parameters: { editing: { order: orders.requiresRecipient, onEdit } satisfies Editing },
  play: async ({ canvasElement }) => {
    const { getByRole } = within(canvasElement)
    await userEvent.type(getByRole('textbox'), 'ada@example.com{Enter}{Enter}')
    await expect(getByRole('button')).toHaveTextContent('One moment…')
    await expect(onEdit).toHaveBeenCalledTimes(1)
    await expect(onEdit).toHaveBeenCalledWith({ recipient: { email: 'ada@example.com' } })
  },
}

/** The service knows more than the form: what it refuses stands at the field, and nothing written is lost. */
export const Refused: Story = {
  parameters: {
    editing: {
      order: orders.requiresRecipient,
      refusal: 'recipient.walletAddress: this address is sanctioned',
    } satisfies Editing,
  },
  play: async ({ canvasElement }) => {
    const input = within(canvasElement).getByRole('textbox')
    await userEvent.type(input, `${stranger}{Enter}`)
    await expect(input).toHaveAccessibleDescription('The shop does not accept this.')
    await expect(input).toHaveFocus()
    await expect(input).toHaveValue(stranger)
  },
}
