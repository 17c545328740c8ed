import { type Client, isKassaError } from '../api/index.js'
import { webPage } from '../api/request.js'
import { walletError } from '../errors/walletError.js'

/** The message of a service or a shop's handler that has looked for a wallet. */
const looked = /^wallet\b.*\bnot found\b/i

/** Returns how an address answers that has no wallet handler, or `undefined` if the answer is a handler's. */
const readStrange = (cause: unknown): string | undefined => {
  if (isKassaError(cause, 'api.invalid-answer')) return cause.context.issues === webPage ? webPage : undefined
  return isKassaError(cause, 'api.not-found') && !looked.test(cause.context.message)
    ? cause.context.message
    : undefined
}

/**
 * Awaits an answer about wallets. Only one message means that the user has no such wallet. Any other 404, and a web
 * page, comes from an address without a wallet handler.
 *
 * @throws {@link KassaError} `wallet.handler-missing`, and the errors of the call.
 */
export const askHandler = async <Answer>(client: Client, answer: Promise<Answer>): Promise<Answer> => {
  try {
    return await answer
  } catch (cause) {
    const message = readStrange(cause)
    if (message === undefined) throw cause
    throw walletError('wallet.handler-missing', { url: client.baseUrl, message }, { cause })
  }
}
