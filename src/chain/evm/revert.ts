import { decodeErrorResult, type Hex, isHex, parseAbi } from 'viem'
import { toLine } from '../line.js'
import { causes, readProperty } from './causes.js'

const abi = parseAbi([
  'error Error(string)',
  'error Panic(uint256)',
  'error QuoteExpired(uint256 deadline)',
  'error NothingPaid()',
  'error EnforcedPause()',
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
  'error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)',
  'error ERC20InvalidSender(address sender)',
  'error ERC20InvalidReceiver(address receiver)',
  'error ERC20InvalidApprover(address approver)',
  'error ERC20InvalidSpender(address spender)',
])

const noReason = 'it gives no reason'
const balance = 'the token balance is too low'
const allowance = 'the token allowance is too low'
const paused = 'the contract is paused'
const blocked = 'the token has blocked this account'
const sender = 'the token does not accept this payer'
const receiver = 'the token does not accept this recipient'

const byName: Readonly<Record<string, string>> = {
  QuoteExpired: 'the quote had expired',
  NothingPaid: 'it would pay nothing',
  EnforcedPause: paused,
  ERC20InsufficientBalance: balance,
  ERC20InsufficientAllowance: allowance,
  ERC20InvalidSender: sender,
  ERC20InvalidReceiver: receiver,
  ERC20InvalidApprover: sender,
  ERC20InvalidSpender: sender,
}

// The messages of tokens older than custom errors, such as USDC. They are constants of the contracts' code,
// not prose.
const byText: ReadonlyMap<string, string> = new Map([
  ['ERC20: transfer amount exceeds balance', balance],
  ['ERC20: transfer amount exceeds allowance', allowance],
  ['ERC20: transfer to the zero address', receiver],
  ['Pausable: paused', paused],
  ['Blacklistable: account is blacklisted', blocked],
])

// Revert data is a four-byte selector and some words; longer data is not worth reading.
const isRevertData = (value: unknown): value is Hex =>
  isHex(value) && value.length >= 10 && value.length <= 20_000

/** Finds the revert data, which nodes and wallets nest at different depths of the same few fields. */
const findData = (thrown: unknown, depth = 0): Hex | undefined => {
  if (isRevertData(thrown)) return thrown
  if (depth > 3) return undefined
  for (const key of ['raw', 'data', 'originalError', 'error']) {
    const inner = readProperty(thrown, key)
    const data = inner === undefined ? undefined : findData(inner, depth + 1)
    if (data) return data
  }
  return undefined
}

const quote = (text: string): string => {
  const line = toLine(text.replace(/["“”„«»]/g, '’'), 120)
  return line ? `“${line}”` : noReason
}

const explain = (data: Hex): string => {
  const { errorName, args } = decodeErrorResult({ abi, data })
  if (errorName === 'Error') return byText.get(args[0]) ?? quote(args[0])
  if (errorName === 'Panic') return `the contract failed (panic 0x${args[0].toString(16).padStart(2, '0')})`
  return byName[errorName] ?? noReason
}

/**
 * Reads the reason of a revert from the data along the chain of causes.
 *
 * @returns A few plain words for the middle of a sentence. A contract's own words are in quotes, shortened
 * and cleaned.
 */
export const readRevert = (error: unknown): string => {
  try {
    for (const cause of causes(error)) {
      const data = findData(cause)
      if (data) return explain(data)
    }
  } catch {
    // Falls through: data of an unknown error, or a thrown value that cannot be read.
  }
  return noReason
}
