import { isAddress } from 'viem'
import { fill } from '../../../locales/fill.js'
import type { Messages } from '../../../locales/Messages.js'
import { emailPattern, maxLineLength, walletAddressPattern } from '../../../schema/limits.js'
import { type CheckoutFieldName, fields } from './fields.js'

/** Whether the text is the address of an account or its beginning, as opposed to an e-mail address. */
export const isAccount = (text: string): boolean => /^(0x|\w{20})[^@]*$/.test(text)

// Mixed case is a checksum (EIP-55). An address in one case has none to compare with.
const isMistyped = (text: string): boolean =>
  text.startsWith('0x') && /[a-f]/.test(text) && /[A-F]/.test(text) && !isAddress(text)

/**
 * Checks a field's text by the rules of the schemas and the checksum of an account.
 *
 * @returns An error message for the buyer.
 */
export const checkField = (name: CheckoutFieldName, text: string, messages: Messages): string | undefined => {
  if (!text) return fields[name].required ? messages.required : undefined
  const like = (pattern: RegExp, example: string) =>
    pattern.test(text) && !isMistyped(text) ? undefined : fill(messages.writeLike, { example })
  if (name === 'walletAddress' || (name === 'recipient' && isAccount(text)))
    return like(walletAddressPattern, '0x12Ab…89Ef')
  if (name === 'recipient' || name === 'email' || name === 'receiptEmail')
    return like(emailPattern, 'name@example.com')
  return text.length > maxLineLength ? messages.tooLong : undefined
}
