import type { ErrorTable } from './context.js'
import { createErrors } from './KassaError.js'

/**
 * The errors of reaching a shop's own wallet handler. The table is separate, so that no checkout loads it.
 */
export const walletErrors: ErrorTable<'wallet'> = {
  'wallet.client-missing': {
    message: ({ name }) =>
      `${name} found no client for the shop's wallet handler. Pass it a client, or render it inside <WalletProvider client={…}>. It does not use the client of <CheckoutProvider>.`,
    remedy: 'fix-app',
    retryable: false,
  },
  'wallet.handler-missing': {
    message: ({ url, message }) =>
      `${url} does not serve wallets: ${message}. Set the client's baseUrl to the path where createWalletHandler is mounted, and add this type to its walletTypes.`,
    remedy: 'fix-app',
    retryable: false,
  },
}

/** Creates an error of the `wallet` area. */
export const walletError = createErrors(walletErrors)
