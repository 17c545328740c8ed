import { fill } from '../../../locales/fill.js'
import type { Messages } from '../../../locales/Messages.js'
import { isEmail, maxEmailLength, maxLineLength, toAsciiEmail } from '../../../schema/limits.js'
import { getAddressForm, isAccount } from '../wallet/accounts.js'
import { type CheckoutFieldName, isFieldRequired } from './fields.js'

/** What a field's check depends on beside its text. */
export type FieldRules = {
  messages: Messages
  /** The chain of the form's addresses; undefined before the order has loaded. */
  chain?: string | undefined
  /** The country that is chosen in the field's form, as a code. */
  country?: string | undefined
}

/**
 * Checks a field's text by the rules of the schemas and the form of an address.
 *
 * @returns An error message for the buyer.
 */
export const checkField = (
  name: CheckoutFieldName,
  text: string,
  { messages, chain, country }: FieldRules,
): string | undefined => {
  if (!text) return isFieldRequired(name, country) ? messages.required : undefined
  if (name === 'walletAddress' || name === 'refundAddress' || (name === 'recipient' && isAccount(text))) {
    const { isValid, example } = getAddressForm(chain)
    return isValid(text) ? undefined : fill(messages.writeLike, { example })
  }
  if (name === 'recipient' || name === 'email' || name === 'receiptEmail') {
    if (toAsciiEmail(text).length > maxEmailLength) return messages.tooLong
    return isEmail(text) ? undefined : fill(messages.writeLike, { example: 'name@example.com' })
  }
  return text.length > maxLineLength ? messages.tooLong : undefined
}
