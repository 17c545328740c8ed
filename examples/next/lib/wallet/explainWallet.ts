import { isKassaError } from 'kassa/api'

/**
 * Explains to a wallet's owner what went wrong, whether anything was sent, and what to do.
 *
 * @param isOutcomeKnown - Whether the step shows for certain that nothing was sent.
 */
export const explainWallet = (error: unknown, isOutcomeKnown = true): string => {
  if (isKassaError(error, 'api.unauthorized'))
    return isOutcomeKnown
      ? 'You are signed out. Sign in again; nothing was sent.'
      : 'You are signed out, so it is not known whether this was sent. Sign in again: what is on its way goes on.'
  if (!isOutcomeKnown)
    return 'The shop’s service did not answer, so it is not known whether this was sent. Try again: it is sent once, however often you ask.'
  if (isKassaError(error, 'passkey.rejected') || isKassaError(error, 'transaction.rejected'))
    return 'Your passkey was not used: you cancelled, or the time ran out. Nothing was sent; try again when you are ready.'
  if (isKassaError(error, 'passkey.unavailable'))
    return 'This browser has no passkeys here. Open the shop over https in a browser that has them.'
  if (isKassaError(error, 'passkey.failed'))
    return 'The passkey of this wallet could not be used: is this the device it was made on? Nothing was sent.'
  if (isKassaError(error, 'transaction.reverted'))
    return error.context.transactionId === undefined
      ? 'The network would turn this down, so nothing was sent: perhaps this token may not be sent on, or has been sent already.'
      : 'The network turned this down: the token is where it was.'
  if (isKassaError(error, 'transaction.refused'))
    return error.context.reason === 'sanctioned_wallet_address'
      ? 'Nothing can be sent to this address: it is on a list of sanctions.'
      : `Nothing was sent: ${error.context.message}`
  if (isKassaError(error, 'transaction.failed'))
    return 'This did not reach the network: the token is where it was. Try again.'
  if (isKassaError(error, 'transaction.unfinished'))
    return 'The network is slow. It is still on its way; this page shows when it has arrived.'
  if (isKassaError(error, 'transaction.not-allowed') || isKassaError(error, 'api.forbidden'))
    return error.context.message
  if (isKassaError(error) && error.code.startsWith('api.') && error.retryable)
    return 'The shop’s service does not answer at the moment. Nothing was sent; try again.'
  if (
    isKassaError(error, 'api.bad-request') ||
    isKassaError(error, 'api.not-found') ||
    isKassaError(error, 'api.conflict')
  )
    return `Nothing was sent: ${error.context.message}`
  return 'This did not work, and nothing was sent. Load the page again and try once more.'
}
