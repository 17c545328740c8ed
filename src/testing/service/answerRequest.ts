import { writeError } from '../../engine/http/writeError.js'
import type { Service } from './caller.js'
import { type Answer, notFound, type ServiceCall, toHttpError } from './http.js'
import { answerOrderRequest } from './orders/answerOrderRequest.js'
import { answerWalletRequest, hasTextErrors } from './wallets/answerWalletRequest.js'

/**
 * Answers a call as the service does.
 *
 * @param before - Refuses the call, whatever it is, by throwing a {@link HttpError}.
 */
export const answerRequest = async (
  service: Service,
  call: ServiceCall,
  before: () => void,
): Promise<Answer> => {
  try {
    before()
    const answer = answerOrderRequest(service, call) ?? answerWalletRequest(service, call)
    if (!answer) throw notFound()
    return await answer
  } catch (error) {
    const refusal = toHttpError(error)
    if (!refusal) throw error
    const { status, message, detail } = refusal
    return { status, body: writeError({ message, detail, isText: hasTextErrors(call) }) }
  }
}
