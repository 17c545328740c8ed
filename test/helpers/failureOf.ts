import { isKassaError } from '../../src/errors/KassaError.js'

/** Returns the error of the library that a promise rejects with. Throws everything else. */
export const failureOf = async (work: Promise<unknown>) => {
  const error: unknown = await work.then(
    () => undefined,
    (thrown) => thrown,
  )
  if (!isKassaError(error)) throw error ?? new Error('nothing was thrown')
  return error
}
