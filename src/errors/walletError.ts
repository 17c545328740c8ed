import type { ErrorTable } from './context.js'
import { createErrors } from './KassaError.js'

/**
 * The errors of reaching a shop's own wallet handler. The table is separate, so that no checkout loads it.
 */
export const walletErrors: ErrorTable<'wallet'> = {
  'wallet.client-missing': {
    message: ({ name }) =>
      `${name} found no client of the shop's wallet handler. Give it one, or render it inside <WalletProvider client={…}>; the client of a checkout is another.`,
    remedy: 'fix-app',
    retryable: false,
  },
  'wallet.handler-missing': {
    message: ({ url, message }) =>
      `No wallets are to be had at ${url}: ${message}. Give the client the path where createWalletHandler is mounted, with this type among its walletTypes.`,
    remedy: 'fix-app',
    retryable: false,
  },
}

/** Creates an error of the `wallet` area. */
export const walletError = createErrors(walletErrors)
