import { readField } from '../errors/readField.js'
import type { TransactionToCheck } from './checkTransaction.js'

/** The selectors of `safeTransferFrom` by parameter types: the two of ERC-721 and the one of ERC-1155. */
const selectors: Readonly<Record<string, string>> = {
  'address,address,uint256': '0x42842e0e',
  'address,address,uint256,bytes': '0xb88d4fde',
  'address,address,uint256,uint256,bytes': '0xf242432a',
}

const isMoney = (value: unknown): boolean => value !== undefined && value !== '0'

const isSame = (address: string, given: unknown): boolean =>
  typeof given === 'string' && given.toLowerCase() === address.toLowerCase()

/**
 * Whether an interface has exactly the standard's function. With several functions of one name, the arguments
 * would choose.
 */
const isCalled = (call: object, address: string): boolean => {
  const [abi, args] = [readField(call, 'abi'), readField(call, 'args')]
  const entries: unknown[] = Array.isArray(abi) ? abi : []
  // The interface's errors do not affect which function is called.
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
 * Whether a transaction only transfers tokens that the wallet holds, by the standards ERC-721 and ERC-1155:
 * it moves no coins and approves no other account. The caller can give any function a standard name, so this
 * checks the exact interface or the selector of the data, and that the token is sent from this wallet. Use it
 * in `canSend` for every kind of signer.
 *
 * It does not judge the recipient. That is the user's choice, as far as the user is the one who asks.
 *
 * @param transaction - The argument of `canSend`.
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
