import { withTimeout } from '../api/withTimeout.js'
import type { ErrorContext } from '../errors/context.js'
import { serverError } from '../errors/serverError.js'

/**
 * Calls one of the shop's own functions.
 *
 * @throws {@link KassaError} `config.function-slow`; whatever the function throws.
 */
export const callShop = <Value>(
  name: ErrorContext['config.function-slow']['name'],
  ask: () => Value | Promise<Value>,
  timeoutMs: number,
): Promise<Value> => {
  const work = Promise.resolve().then(ask)
  return withTimeout(timeoutMs, work, () => serverError('config.function-slow', { name, timeoutMs }))
}

/**
 * Returns the refusal of a shop's check, or undefined for a pass. Only `true` passes, so a check without a
 * return value refuses.
 *
 * @param otherwise - The message if the check returns none.
 */
export const findNo = (verdict: unknown, otherwise: string): string | undefined => {
  if (verdict === true) return undefined
  return typeof verdict === 'string' && verdict ? verdict : otherwise
}
