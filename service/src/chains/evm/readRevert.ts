import { BaseError, decodeErrorResult, ExecutionRevertedError, type Hex, isHex } from 'viem'
import { Collection721 } from './artifacts/Collection721.js'
import { Collection1155 } from './artifacts/Collection1155.js'
import { CollectionFactory } from './artifacts/CollectionFactory.js'
import { DepositFactory } from './artifacts/DepositFactory.js'
import { PaymentRouter } from './artifacts/PaymentRouter.js'
import { Subscription721 } from './artifacts/Subscription721.js'

const errorsOf = [
  Collection721,
  Collection1155,
  Subscription721,
  CollectionFactory,
  DepositFactory,
  PaymentRouter,
]
const abi = errorsOf.flatMap((contract) => contract.abi.filter((entry) => entry.type === 'error'))

const readData = (error: BaseError): Hex | undefined => {
  const found = error.walk((cause) => isHex(Reflect.get(Object(cause), 'data')))
  const data = found && Reflect.get(found, 'data')
  return isHex(data) && data.length >= 10 ? data : undefined
}

/** A contract of anybody's may say anything, also what no database column takes. */
const toLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .slice(0, 500)
    .trim()

/**
 * Reads why a contract refused.
 *
 * @returns The error's name and arguments, such as `SupplyLimitReached(100)`; undefined when what was thrown is
 * not a contract's refusal.
 */
export const readRevert = (error: unknown): string | undefined => {
  if (!(error instanceof BaseError)) return undefined
  const data = readData(error)
  const isRevert =
    data !== undefined || error.walk((cause) => cause instanceof ExecutionRevertedError) !== null
  if (!isRevert) return undefined
  if (!data) return toLine(error.shortMessage)
  try {
    const { errorName, args } = decodeErrorResult({ abi, data })
    return toLine(`${errorName}(${(args ?? []).map(String).join(', ')})`)
  } catch {
    return toLine(error.shortMessage)
  }
}
