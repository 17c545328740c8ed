import { isKassaError } from 'kassa/api'

/** Explains to a buyer why no order was created. */
export const explainOrder = (error: unknown): string => {
  if (isKassaError(error, 'api.rate-limited'))
    return 'Many people are buying right now. Try again in a moment.'
  if (isKassaError(error, 'cart.refused')) return error.message
  if (isKassaError(error, 'api.bad-request')) return `This could not be ordered: ${error.context.message}`
  return 'The shop’s service does not answer at the moment. Nothing was ordered; try again shortly.'
}
