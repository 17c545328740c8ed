import type { ErrorTable } from './context.js'
import { createErrors } from './KassaError.js'

/** The errors of a wallet's transaction. The table is separate, so that no checkout loads it. */
export const transactionErrors: ErrorTable<'transaction'> = {
  'transaction.unfinished': {
    message: ({ transactionId, timeoutMs }) =>
      `Transaction ${transactionId} did not finish within ${timeoutMs / 1000} s. It is still open at the service. Wait for it again, or listen for its webhook.`,
    remedy: 'retry',
    retryable: true,
  },
  'transaction.not-connected': {
    message: ({ signer }) =>
      `The transaction needs the approval of ${signer}, but no wallet is connected. Nothing was sent. Connect that wallet, then approve.`,
    remedy: 'connect-wallet',
    retryable: true,
  },
  'transaction.wrong-signer': {
    message: ({ expected, connected }) =>
      `The transaction needs the approval of ${expected}, but the wallet is on ${connected}. Nothing was sent. Switch the account in the wallet, then approve.`,
    remedy: 'switch-account',
    retryable: true,
  },
  'transaction.signer-unknown': {
    message: ({ signer }) =>
      `The transaction needs the approval of ${signer}, who cannot approve with a connected wallet or a passkey. Nothing was sent. Approve it where that signer's key is.`,
    remedy: 'fix-app',
    retryable: false,
  },
  'transaction.mismatch': {
    message: ({ transactionId, reason }) =>
      `Transaction ${transactionId} is not the one that was requested: ${reason}. Nothing was signed. Do not approve it elsewhere. Contact the shop.`,
    remedy: 'contact-shop',
    retryable: false,
  },
  'transaction.rejected': {
    message: () => 'The transaction was declined. Nothing was sent. Approve it again when ready.',
    remedy: 'retry',
    retryable: true,
  },
  'transaction.wallet-failed': {
    message: ({ reason }) =>
      `The wallet could not sign the transaction (${reason}). Nothing was sent. Check the wallet, then approve again.`,
    remedy: 'check-wallet',
    retryable: true,
  },
  'transaction.not-allowed': {
    message: ({ message }) => message,
    remedy: 'contact-shop',
    retryable: false,
  },
  'transaction.refused': {
    message: ({ reason, message }) => `The service refused this transaction (${reason}): ${message}`,
    remedy: 'contact-shop',
    retryable: false,
  },
  'transaction.reverted': {
    message: ({ reason, transactionId }) =>
      transactionId === undefined
        ? `The transaction would revert: ${reason}. Nothing was signed or sent.`
        : `Transaction ${transactionId} reverted: ${reason}. None of its calls took effect.`,
    remedy: 'contact-shop',
    retryable: false,
  },
  'transaction.failed': {
    message: ({ transactionId, reason, message }) =>
      reason === 'unknown'
        ? `The outcome of transaction ${transactionId} is unknown: ${message}`
        : `Transaction ${transactionId} failed (${reason}): ${message}`,
    remedy: 'retry',
    retryable: true,
  },
}

/** Creates an error of the `transaction` area. */
export const transactionError = createErrors(transactionErrors)
