import type { ErrorTable } from './context.js'
import { createErrors } from './KassaError.js'

/** The errors of a wallet's transaction. The table is separate, so that no checkout loads it. */
export const transactionErrors: ErrorTable<'transaction'> = {
  'transaction.unfinished': {
    message: ({ transactionId, timeoutMs }) =>
      `The transaction ${transactionId} has not ended within ${timeoutMs / 1000} s. It goes on at the service; wait for it again, or listen to its webhook.`,
    remedy: 'retry',
    retryable: true,
  },
  'transaction.not-connected': {
    message: ({ signer }) =>
      `The transaction is for ${signer} to approve, and no wallet is connected. Nothing was sent; connect that wallet, then approve.`,
    remedy: 'connect-wallet',
    retryable: true,
  },
  'transaction.wrong-signer': {
    message: ({ expected, connected }) =>
      `The transaction is for ${expected} to approve, the wallet is on ${connected}. Nothing was sent; switch the account in the wallet, then approve.`,
    remedy: 'switch-account',
    retryable: true,
  },
  'transaction.signer-unknown': {
    message: ({ signer }) =>
      `The transaction waits for ${signer}, who can approve neither by a connected wallet nor by a passkey. Nothing was sent; have it approved where that signer is.`,
    remedy: 'fix-app',
    retryable: false,
  },
  'transaction.mismatch': {
    message: ({ transactionId, reason }) =>
      `The transaction ${transactionId} is not the one that was requested: ${reason}. Nothing was signed. Do not approve it elsewhere, and tell the shop.`,
    remedy: 'contact-shop',
    retryable: false,
  },
  'transaction.rejected': {
    message: () => 'The transaction was declined. Nothing was sent; approve it again when ready.',
    remedy: 'retry',
    retryable: true,
  },
  'transaction.wallet-failed': {
    message: ({ reason }) =>
      `The wallet could not sign the transaction (${reason}). Nothing was sent; check the wallet, then approve again.`,
    remedy: 'check-wallet',
    retryable: true,
  },
  'transaction.not-allowed': {
    message: ({ message }) => message,
    remedy: 'contact-shop',
    retryable: false,
  },
  'transaction.refused': {
    message: ({ reason, message }) => `The service does not send this transaction (${reason}): ${message}`,
    remedy: 'contact-shop',
    retryable: false,
  },
  'transaction.reverted': {
    message: ({ reason, transactionId }) =>
      transactionId === undefined
        ? `The network would turn the transaction down: ${reason}. Nothing was signed and nothing was sent.`
        : `The network turned the transaction ${transactionId} down: ${reason}. None of its calls was done.`,
    remedy: 'contact-shop',
    retryable: false,
  },
  'transaction.failed': {
    message: ({ transactionId, reason, message }) =>
      reason === 'unknown'
        ? `Whether the transaction ${transactionId} was done is unknown: ${message}`
        : `The transaction ${transactionId} came to nothing (${reason}): ${message}`,
    remedy: 'retry',
    retryable: true,
  },
}

/** Creates an error of the `transaction` area. */
export const transactionError = createErrors(transactionErrors)
