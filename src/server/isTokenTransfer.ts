import { readField } from '../errors/readField.js'
import type { TransactionToCheck } from './checkTransaction.js'

/** Of `safeTransferFrom`, by the types of what it takes: ERC-721's two forms, and ERC-1155's. */
const selectors: Readonly<Record<string, string>> = {
  'address,address,uint256': '0x42842e0e',
  'address,address,uint256,bytes': '0xb88d4fde',
  'address,address,uint256,uint256,bytes': '0xf242432a',
}

const isMoney = (value: unknown): boolean => value !== undefined && value !== '0'

const isSame = (address: string, given: unknown): boolean =>
  typeof given === 'string' && given.toLowerCase() === address.toLowerCase()

/** An interface of one function, which is the standard's: of several of a name, the arguments would choose. */
const isCalled = (call: object, address: string): boolean => {
  const [abi, args] = [readField(call, 'abi'), readField(call, 'args')]
  const entries: unknown[] = Array.isArray(abi) ? abi : []
  // What a call may be refused with is no part of what is called.
  const [entry, ...others] = entries.filter((each) => readField(each, 'type') !== 'error')
  const inputs = readField(entry, 'inputs')
  const types = Array.isArray(inputs) ? inputs.map((input) => readField(input, 'type')) : []
  return (
    others.length === 0 &&
    readField(call, 'functionName') === 'safeTransferFrom' &&
    readField(entry, 'type') === 'function' &&
    readField(entry, 'name') === 'safeTransferFrom' &&
    Object.hasOwn(selectors, types.join()) &&
    Array.isArray(args) &&
    args.length === types.length &&
    isSame(address, args[0])
  )
}

const isEncoded = (data: unknown, address: string): boolean => {
  if (typeof data !== 'string') return false
  const [selector, from] = [data.slice(0, 10), data.slice(10, 74)]
  return (
    Object.values(selectors).some((known) => isSame(known, selector)) &&
    isSame(`${'0'.repeat(24)}${address.slice(2)}`, from)
  )
}

const isTransfer = (call: object, address: string): boolean => {
  if (isMoney(readField(call, 'value'))) return false
  return 'abi' in call ? isCalled(call, address) : isEncoded(readField(call, 'data'), address)
}

/**
 * Whether all that a wallet is asked for is to send tokens of its own on, as the standards ERC-721 and ERC-1155 have it:
 * no coin moves, nobody else is given leave to dispose of anything. Not the function's name alone is looked at, which
 * whoever asks may give to any function, but what is called: the exact form of its interface, or the selector of its
 * data, and that the token is sent from this very wallet. For `canSend`, whoever signs for the wallet.
 *
 * To whom the tokens go it does not judge: that is the user's to say, as far as it is they who ask.
 *
 * @param transaction - What `canSend` is given.
 * @example
 * ```ts
 * import { type CheckTransaction, isTokenTransfer } from 'kassa/server'
 *
 * export const canSend: CheckTransaction = (transaction) =>
 *   isTokenTransfer(transaction) || 'Only tokens can be sent.'
 * ```
 */
export const isTokenTransfer = ({
  params,
  address,
}: Pick<TransactionToCheck, 'params' | 'address'>): boolean => {
  if ('transaction' in params) return false
  const calls: readonly object[] = 'calls' in params ? params.calls : [params.call]
  return calls.length > 0 && calls.every((call) => isTransfer(call, address))
}
