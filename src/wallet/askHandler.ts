import { type Client, isKassaError } from '../api/index.js'
import { walletError } from '../errors/walletError.js'

/** The message of a service or a shop's handler that has looked for a wallet. */
const looked = /^wallet\b.*\bnot found\b/i

/**
 * Awaits an answer about wallets. Only this message means that the user has no such wallet. Any other 404
 * comes from an address without a wallet handler.
 *
 * @throws {@link KassaError} `wallet.handler-missing`, and the errors of the call.
 */
export const askHandler = async <Answer>(client: Client, answer: Promise<Answer>): Promise<Answer> => {
  try {
    return await answer
  } catch (cause) {
    if (!isKassaError(cause, 'api.not-found') || looked.test(cause.context.message)) throw cause
    const { message } = cause.context
    throw walletError('wallet.handler-missing', { url: client.baseUrl, message }, { cause })
  }
}
