import type { ErrorTable } from './context.js'
import { createErrors } from './KassaError.js'

/** The error of an app that cannot pay on an order's chain. The table is separate, so that a page shows it early. */
export const chainErrors: Pick<ErrorTable<'pay'>, 'pay.chain-not-configured'> = {
  'pay.chain-not-configured': {
    message: ({ chain }) =>
      chain === 'solana'
        ? 'The order is paid on Solana, which is not set up in this app. Pass `solana` to <CheckoutProvider>.'
        : `The order is paid on ${chain}, which is missing from this app's wagmi config. Add the chain to it.`,
    remedy: 'fix-app',
    retryable: false,
  },
}

/** Creates an error of an app that cannot pay on an order's chain. */
export const chainError = createErrors(chainErrors)
