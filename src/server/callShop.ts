import { within } from '../api/within.js'
import type { ErrorContext } from '../errors/context.js'
import { serverError } from '../errors/serverError.js'

/**
 * Asks one of the shop's own functions.
 *
 * @throws {@link KassaError} `config.function-slow`; whatever the function throws.
 */
export const callShop = <Value>(
  name: ErrorContext['config.function-slow']['name'],
  ask: () => Value | Promise<Value>,
  timeoutMs: number,
): Promise<Value> => {
  const work = Promise.resolve().then(ask)
  return within(timeoutMs, work, () => serverError('config.function-slow', { name, timeoutMs }))
}

/**
 * What a check of the shop's says to a no; undefined for a yes, which is `true` and nothing else: a check that forgot
 * to return has not said yes.
 *
 * @param otherwise - What is said where the check has no words for it.
 */
export const findNo = (verdict: unknown, otherwise: string): string | undefined => {
  if (verdict === true) return undefined
  return typeof verdict === 'string' && verdict ? verdict : otherwise
}
