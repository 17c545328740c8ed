import { isKassaError } from 'kassa/api'
import type { Translate } from './language/createTranslate'

/** Explains to a buyer why no order was created. */
export const explainOrder = (error: unknown, t: Translate<'buy'>): string => {
  if (isKassaError(error, 'api.rate-limited')) return t('crowded')
  if (isKassaError(error, 'cart.refused')) return error.message
  if (isKassaError(error, 'api.bad-request')) return t('refused', { reason: error.context.message })
  return t('away')
}
