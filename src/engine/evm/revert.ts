import { type Abi, decodeErrorResult, type Hex, isHex, size, slice } from 'viem'
import type { Revert, TransactionError } from '../../schema/transaction.js'
import type { RevertType } from '../../schema/walletMembers.js'
import { readAbiErrors } from './readAbi.js'

/**
 * Converts text to one line that a database column accepts. A foreign contract may return any text, including
 * half of a surrogate pair.
 */
export const toLine = (text: string): string =>
  [...text.slice(0, 1_000).replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ')].slice(0, 500).join('').trim()

const showArgument = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(showArgument).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const fields = Object.entries(value).map(([name, field]) => `${name}: ${showArgument(field)}`)
  return `{${fields.join(', ')}}`
}

/** Formats an error by its name and arguments, such as `SupplyLimitReached(100)`. */
export const showError = (name: string, args: readonly unknown[] = []): string =>
  toLine(`${name}(${args.map(showArgument).join(', ')})`)

const noReason = 'reverted without a reason'
/** A wallet's error if a contract that it called gave no reason: `FailedCall()`. */
export const failedCall: Hex = '0xd6bda275'

/** The meanings of Solidity's panic codes. */
const panics: Readonly<Record<string, string>> = {
  '0x01': 'an assertion failed',
  '0x11': 'arithmetic overflow',
  '0x12': 'division by zero',
  '0x21': 'invalid member of an enumeration',
  '0x22': 'bytes in storage are broken',
  '0x31': 'pop of an empty array',
  '0x32': 'index out of bounds',
  '0x41': 'too much memory',
  '0x51': 'call of an uninitialized function',
}

const showPanic = (code: unknown): string => {
  const hex = `0x${BigInt(String(code)).toString(16).padStart(2, '0')}`
  const meaning = panics[hex]
  return meaning ? `Panic(${hex}): ${meaning}` : `Panic(${hex})`
}

const decodeBy = (abi: Abi, data: Hex): string | undefined => {
  try {
    const { errorName, args } = decodeErrorResult({ abi, data })
    if (errorName === 'Error') return toLine(String(args?.[0])) || noReason
    return errorName === 'Panic' ? showPanic(args?.[0]) : showError(errorName, args)
  } catch {
    return undefined
  }
}

/**
 * Reads the bytes that a contract reverted with.
 *
 * @param errors - The errors that the caller declared for the contract.
 * @param known - The errors of other contracts that may be called.
 * @returns The text of `Error(string)`, `Panic(0x11): arithmetic overflow`, `Name(argument, argument)` for a
 * known error, the first four bytes of an unknown one, or that there is no reason.
 */
export const decodeRevert = (data: Hex | undefined, errors: readonly unknown[], known: Abi): string => {
  if (!data || size(data) < 4 || data === failedCall) return noReason
  const reason = decodeBy(readAbiErrors(errors), data) ?? decodeBy(known, data)
  return reason ?? `an unknown error, ${slice(data, 0, 4)}`
}

/**
 * The most characters of an answer that are stored and shown, because a foreign contract may return
 * megabytes.
 */
const maxAnswer = 16_386

/** Describes a revert in the interface's form: a message for people and fields for programs. */
export const describeRevert = (
  type: RevertType,
  reason: string,
  data?: string,
): { message: string; revert: Revert } => ({
  message: `The transaction reverted during execution: ${reason}`,
  revert: {
    type,
    reason,
    ...(isHex(data) && data !== '0x' && data.length <= maxAnswer && { reasonData: data }),
  },
})

/** Returns the error of a transaction that reverts. */
export const toRevertError = (
  type: RevertType,
  reason: string,
  data?: string,
): TransactionError & { message: string; revert: Revert } => ({
  reason: 'execution_reverted',
  ...describeRevert(type, reason, data),
})

/** The coins of a wallet, and what its calls send. @units wei */
type Spending = { heldWei: bigint; sentWei: bigint }

/** Explains that a smart wallet's calls send more coins than it holds. */
export const explainWalletLack = ({ heldWei, sentWei }: Spending): string =>
  `the wallet holds ${heldWei} wei, but the calls send ${sentWei}`

/** Explains that an account's call sends more coins than it has. */
export const explainAccountLack = ({ heldWei, sentWei }: Spending): string =>
  `the account has ${heldWei} wei, less than the ${sentWei} to send`
