import { isAddress } from 'viem'
import { fill } from '../../../locales/fill.js'
import type { Messages } from '../../../locales/Messages.js'
import {
  isEmail,
  maxEmailLength,
  maxLineLength,
  toAsciiEmail,
  walletAddressPattern,
} from '../../../schema/limits.js'
import { type CheckoutFieldName, fields } from './fields.js'

/** Whether the text is the address of an account or its beginning, as opposed to an e-mail address. */
export const isAccount = (text: string): boolean => /^(0x|\w{20})[^@]*$/.test(text)

// Mixed case is a checksum (EIP-55). An address in one case has none to compare with.
const isMistyped = (text: string): boolean =>
  text.startsWith('0x') && /[a-f]/.test(text) && /[A-F]/.test(text) && !isAddress(text)

/** What a field's check depends on beside its text. */
export type FieldRules = {
  messages: Messages
  /** The chain of the form's addresses; undefined before the order has loaded. */
  chain?: string | undefined
}

const onEvm = { pattern: /^0x[0-9a-fA-F]{40}$/, example: '0x12Ab…89Ef' }
const onSolana = { pattern: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/, example: '7xKX…gAsU' }
const onAny = { ...onEvm, pattern: walletAddressPattern }

const getAccountRule = (chain: string | undefined): typeof onAny => {
  if (chain === undefined) return onAny
  return chain === 'solana' ? onSolana : onEvm
}

/**
 * Checks a field's text by the rules of the schemas and the checksum of an account.
 *
 * @returns An error message for the buyer.
 */
export const checkField = (
  name: CheckoutFieldName,
  text: string,
  { messages, chain }: FieldRules,
): string | undefined => {
  if (!text) return fields[name].required ? messages.required : undefined
  const like = ({ pattern, example }: typeof onAny) =>
    pattern.test(text) && !isMistyped(text) ? undefined : fill(messages.writeLike, { example })
  if (name === 'walletAddress' || name === 'refundAddress' || (name === 'recipient' && isAccount(text)))
    return like(getAccountRule(chain))
  if (name === 'recipient' || name === 'email' || name === 'receiptEmail') {
    if (toAsciiEmail(text).length > maxEmailLength) return messages.tooLong
    return isEmail(text) ? undefined : fill(messages.writeLike, { example: 'name@example.com' })
  }
  return text.length > maxLineLength ? messages.tooLong : undefined
}
