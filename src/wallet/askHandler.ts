import { type Client, isKassaError } from '../api/index.js'
import { walletError } from '../errors/walletError.js'

/** What a service, or a shop's handler, says of a wallet that it has looked for. */
const looked = /^wallet\b.*\bnot found\b/i

/**
 * Waits for an answer about wallets. That there is no such wallet is the service's own word about it; any other 404
 * comes from where there are no wallets at all, and says nothing of whether its user has one.
 *
 * @throws {@link KassaError} `wallet.handler-missing`, and as the call does.
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
