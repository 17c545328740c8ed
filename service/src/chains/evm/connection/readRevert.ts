import {
  type Abi,
  BaseError,
  type CallParameters,
  decodeErrorResult,
  ExecutionRevertedError,
  type Hex,
  isHex,
  type PublicClient,
  ResponseBodyTooLargeError,
} from 'viem'
import { Collection721 } from '../artifacts/Collection721.js'
import { Collection1155 } from '../artifacts/Collection1155.js'
import { CollectionFactory } from '../artifacts/CollectionFactory.js'
import { DepositFactory } from '../artifacts/DepositFactory.js'
import { EntryPoint } from '../artifacts/EntryPoint.js'
import { PaymentRouter } from '../artifacts/PaymentRouter.js'
import { SmartWallet } from '../artifacts/SmartWallet.js'
import { Subscription721 } from '../artifacts/Subscription721.js'
import { TestToken } from '../artifacts/TestToken.js'
import { readHalt } from './readHalt.js'

const errorsOf = [
  Collection721,
  Collection1155,
  Subscription721,
  CollectionFactory,
  DepositFactory,
  PaymentRouter,
  EntryPoint,
  SmartWallet,
  // Its errors cover other tokens too, because they follow ERC-6093.
  TestToken,
]

/** The errors of the service's contracts, and of the contracts and standards that these use. */
export const knownErrors: Abi = errorsOf.flatMap((contract) =>
  contract.abi.filter((entry) => entry.type === 'error'),
)

const readData = (error: BaseError): Hex | undefined => {
  const found = error.walk((cause) => isHex(Reflect.get(Object(cause), 'data')))
  const data = found && Reflect.get(found, 'data')
  return isHex(data) && data.length >= 10 ? data : undefined
}

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

/** Formats an error that the service's contracts define. */
export const showKnownError = (data: Hex): string | undefined => {
  try {
    const { errorName, args } = decodeErrorResult({ abi: knownErrors, data })
    return showError(errorName, args)
  } catch {
    return undefined
  }
}

/** The reason if an answer exceeds the response limit: the call would never fit into a transaction. */
const tooLong = 'it answers with more than can be read'

/**
 * Reads what a contract returned when it refused a call.
 *
 * @returns `undefined` if the error is not a contract's refusal. `data` is `undefined` if the contract gave
 * no reason.
 */
export const readRevertData = (error: unknown): { data: Hex | undefined; message: string } | undefined => {
  if (!(error instanceof BaseError)) return undefined
  const halt =
    readHalt(error) ??
    (error.walk((cause) => cause instanceof ResponseBodyTooLargeError) ? tooLong : undefined)
  if (halt !== undefined) return { data: undefined, message: toLine(halt) }
  const data = readData(error)
  const isRevert =
    data !== undefined || error.walk((cause) => cause instanceof ExecutionRevertedError) !== null
  return isRevert ? { data, message: toLine(error.shortMessage) } : undefined
}

/**
 * Makes a call and returns the data that it is refused with, or `undefined` if it succeeds or gives no
 * reason.
 */
export const readCallData = (client: PublicClient, call: CallParameters): Promise<Hex | undefined> =>
  client.call(call).then(
    () => undefined,
    (error) => readRevertData(error)?.data,
  )

/**
 * Reads why a contract refused.
 *
 * @returns The error's name and arguments, such as `SupplyLimitReached(100)`, or `undefined` if the error is
 * not a contract's refusal.
 */
export const readRevert = (error: unknown): string | undefined => {
  const revert = readRevertData(error)
  return (revert?.data && showKnownError(revert.data)) ?? revert?.message
}
