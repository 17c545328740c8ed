import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import { expect, fn, userEvent, within } from 'storybook/test'
import { whileEditing } from '../fixtures/decorators.js'
import type { Editing } from '../fixtures/Editing.js'
import { orders } from '../fixtures/orders.js'

const meta = {
  title: 'Parts/AddressForm',
  component: Checkout.AddressForm,
  parameters: { editing: { order: orders.requiresPhysicalAddress } satisfies Editing },
  decorators: [whileEditing],
} satisfies Meta<typeof Checkout.AddressForm>

export default meta

type Story = StoryObj<typeof meta>

export const Default: Story = {}

/** What is missing is said at each field, and the focus goes to the first. */
export const Wrong: Story = {
  play: async ({ canvasElement }) => {
    const { getByLabelText, getByRole, getAllByText } = within(canvasElement)
    await userEvent.type(getByLabelText('City'), 'London')
    await userEvent.click(getByRole('button'))
    await expect(getByLabelText('Full name')).toHaveFocus()
    await expect(getAllByText('Fill this in.')).toHaveLength(4)
  },
}

const onEdit = fn()

/** From the first field to the last by the keyboard alone. */
export const ByKeyboard: Story = {
  parameters: { editing: { order: orders.requiresPhysicalAddress, onEdit } satisfies Editing },
  play: async ({ canvasElement }) => {
    const { getByLabelText, getByRole } = within(canvasElement)
    const country = getByLabelText<HTMLSelectElement>('Country')
    await expect(country.options).toHaveLength(250)
    getByLabelText('Full name').focus()
    await userEvent.keyboard('Ada Lovelace{Tab}12 St James’s Square{Tab}{Tab}London{Tab}{Tab}SW1Y 4JH{Tab}')
    await expect(country).toHaveFocus()
    await userEvent.selectOptions(country, 'GB')
    await userEvent.keyboard('{Tab}{Enter}')
    await expect(getByRole('button')).toHaveTextContent('One moment…')
    await expect(onEdit).toHaveBeenCalledTimes(1)
    await expect(onEdit.mock.lastCall?.[0].recipient.physicalAddress).toMatchObject({
      name: 'Ada Lovelace',
      postalCode: 'SW1Y 4JH',
      country: 'GB',
    })
  },
}

/** A template of the app's own: its fields, its order, its words. */
export const ATemplate: Story = {
  args: {
    children: (
      <>
        <Checkout.Field name="country" />
        <Checkout.Field name="postalCode">
          <Checkout.FieldLabel>Postcode</Checkout.FieldLabel> <Checkout.FieldInput size={8} />{' '}
          <Checkout.FieldError />
        </Checkout.Field>
        <Checkout.Field name="city" />
        <Checkout.Field name="line1" />
        <Checkout.Field name="name" />
        <Checkout.Submit>Ship it there</Checkout.Submit>
      </>
    ),
  },
}
