import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout, type CheckoutFieldName } from 'kassa'
import { expect, userEvent, within } from 'storybook/test'
import { inField } from '../fixtures/decorators.js'

const meta = {
  title: 'Parts/FieldError',
  component: Checkout.FieldError,
  parameters: { field: 'email' satisfies CheckoutFieldName },
  decorators: [
    (Story) => (
      <>
        <Checkout.FieldLabel /> <Checkout.FieldInput /> <Story />
      </>
    ),
    inField,
  ],
} satisfies Meta<typeof Checkout.FieldError>

export default meta

type Story = StoryObj<typeof meta>

const send = async (canvasElement: HTMLElement, text: string): Promise<void> =>
  userEvent.type(within(canvasElement).getByRole('textbox'), `${text}{Enter}`)

/** Absent while nothing is wrong. */
export const Default: Story = {
  play: async ({ canvasElement }) => {
    await expect(within(canvasElement).queryByText('Fill this in.')).toBe(null)
    await send(canvasElement, '')
    await expect(within(canvasElement).getByText('Fill this in.')).toBeVisible()
  },
}

export const AnExample: Story = { play: ({ canvasElement }) => send(canvasElement, 'ada') }

export const TooLong: Story = {
  parameters: { field: 'city' satisfies CheckoutFieldName },
  play: async ({ canvasElement }) => {
    const { getByRole, getByText } = within(canvasElement)
    await userEvent.click(getByRole('textbox'))
    await userEvent.paste('Llanfair'.repeat(26))
    await userEvent.keyboard('{Enter}')
    await expect(getByText('This is too long.')).toBeVisible()
  },
}

export const ByChildren: Story = {
  args: { children: ({ name }) => `Something is wrong with the ${name}.` },
  play: ({ canvasElement }) => send(canvasElement, 'ada'),
}
