import type { ComponentProps } from 'react'
import { fill } from '../../../locales/fill.js'
import type { Messages } from '../../../locales/Messages.js'
import { hasPostalCodes } from '../../../schema/limits.js'

type Attributes = Pick<
  ComponentProps<'input'>,
  'autoCapitalize' | 'autoComplete' | 'inputMode' | 'required' | 'spellCheck' | 'type'
>

const exact = { autoCapitalize: 'none', spellCheck: false, required: true }
const email = { ...exact, type: 'email', autoComplete: 'email' }
const shipping = (token: string, required = true) => ({ autoComplete: `shipping ${token}`, required })

/** The attributes that browsers, keyboards and password managers need for each field. */
export const fields = {
  // A browser can fill in only the e-mail address of a field that takes both.
  recipient: { ...exact, inputMode: 'email', autoComplete: 'email' },
  email,
  walletAddress: { ...exact, autoComplete: 'off' },
  receiptEmail: email,
  refundAddress: { ...exact, autoComplete: 'off' },
  name: { ...shipping('name'), autoCapitalize: 'words' },
  line1: shipping('address-line1'),
  line2: shipping('address-line2', false),
  city: shipping('address-level2'),
  state: shipping('address-level1', false),
  postalCode: { ...shipping('postal-code'), autoCapitalize: 'characters' },
  country: shipping('country'),
  promotionCode: { ...exact, autoCapitalize: 'characters', autoComplete: 'off', required: false },
} satisfies Record<string, Attributes>

/** A field's name. `recipient` takes an e-mail address or a wallet address. */
export type CheckoutFieldName = keyof typeof fields

/** Whether a text is the name of a field. */
export const isFieldName = (name: string): name is CheckoutFieldName => Object.hasOwn(fields, name)

/**
 * Whether a buyer has to fill in a field.
 *
 * @param country - The country that is chosen in the field's form, if any.
 */
export const isFieldRequired = (name: CheckoutFieldName, country: string | undefined): boolean =>
  fields[name].required && (name !== 'postalCode' || !country || hasPostalCodes(country))

/** Returns a field's label. */
export const getFieldLabel = (name: CheckoutFieldName, isRequired: boolean, messages: Messages): string => {
  const label = messages[name === 'receiptEmail' ? 'email' : name]
  return isRequired ? label : fill(messages.optional, { label })
}
