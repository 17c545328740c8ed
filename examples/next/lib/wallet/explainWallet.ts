import { isKassaError } from 'kassa/api'
import type { Translate } from '../language/createTranslate'

/**
 * Explains to a wallet's owner what went wrong, whether anything was sent, and what to do.
 *
 * @param isOutcomeKnown - Whether the step shows for certain that nothing was sent.
 */
export const explainWallet = (error: unknown, t: Translate<'send'>, isOutcomeKnown = true): string => {
  if (isKassaError(error, 'api.unauthorized')) return isOutcomeKnown ? t('signedOut') : t('signedOutUnknown')
  if (!isOutcomeKnown) return t('unknown')
  if (isKassaError(error, 'passkey.rejected') || isKassaError(error, 'transaction.rejected'))
    return t('passkeyRejected')
  if (isKassaError(error, 'passkey.unavailable')) return t('passkeyUnavailable')
  if (isKassaError(error, 'passkey.failed')) return t('passkeyFailed')
  if (isKassaError(error, 'transaction.reverted'))
    return error.context.transactionId === undefined ? t('wouldRevert') : t('reverted')
  if (isKassaError(error, 'transaction.refused'))
    return error.context.reason === 'sanctioned_wallet_address'
      ? t('sanctioned')
      : t('refused', { reason: error.context.message })
  if (isKassaError(error, 'transaction.failed')) return t('failed')
  if (isKassaError(error, 'transaction.unfinished')) return t('unfinished')
  if (isKassaError(error, 'transaction.not-allowed') || isKassaError(error, 'api.forbidden'))
    return error.context.message
  if (isKassaError(error) && error.code.startsWith('api.') && error.retryable) return t('serviceAway')
  if (
    isKassaError(error, 'api.bad-request') ||
    isKassaError(error, 'api.not-found') ||
    isKassaError(error, 'api.conflict')
  )
    return t('refused', { reason: error.context.message })
  return t('other')
}
