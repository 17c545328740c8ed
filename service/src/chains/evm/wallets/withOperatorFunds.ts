import { BaseError, InsufficientFundsError } from 'viem'
import { ServiceError } from '../../../errors.js'

/**
 * Does something that the operator pays for.
 *
 * @throws {ServiceError} `chain-unavailable` while the operator has too little: it can be done once it has more.
 */
export const withOperatorFunds = async <Result>(
  chain: string,
  work: () => Promise<Result>,
): Promise<Result> => {
  try {
    return await work()
  } catch (cause) {
    const isPoor = cause instanceof BaseError && cause.walk((each) => each instanceof InsufficientFundsError)
    if (!isPoor) throw cause
    const message = `The operator has too little on ${chain} to pay for this. Try again later.`
    throw new ServiceError('chain-unavailable', message, { cause, retryAfterSeconds: 60 })
  }
}
