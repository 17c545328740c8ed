import { decodeRevert as decode, showError, toLine } from 'kassa/engine'
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
import { Permit2 } from '../artifacts/Permit2.js'
import { PermitSpender } from '../artifacts/PermitSpender.js'
import { SmartWallet } from '../artifacts/SmartWallet.js'
import { Subscription721 } from '../artifacts/Subscription721.js'
import { TestToken } from '../artifacts/TestToken.js'
import { TestUsdc } from '../artifacts/TestUsdc.js'
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
  Permit2,
  PermitSpender,
  // Its errors cover other tokens too, because they follow ERC-6093.
  TestToken,
  TestUsdc,
]

/** The errors of the service's contracts, and of the contracts and standards that these use. */
const knownErrors: Abi = errorsOf.flatMap((contract) =>
  contract.abi.filter((entry) => entry.type === 'error'),
)

/** Reads the bytes that a contract reverted with. `errors` are those that the caller declared for it. */
export const decodeRevert = (data: Hex | undefined, errors: readonly unknown[] = []): string =>
  decode(data, errors, knownErrors)

const readData = (error: BaseError): Hex | undefined => {
  const found = error.walk((cause) => isHex(Reflect.get(Object(cause), 'data')))
  const data = found && Reflect.get(found, 'data')
  return isHex(data) && data.length >= 10 ? data : undefined
}

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
const tooLong = 'its response is too large to read'

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
