import { writeError } from '../../engine/http/writeError.js'
import type { ServiceMemory } from './caller.js'
import { type Answer, notFound, type ServiceCall, toHttpError } from './http.js'
import { answerOrderRequest } from './orders/answerOrderRequest.js'
import type { TestWorld } from './testWorld.js'
import { answerWalletRequest, hasTextErrors } from './wallets/answerWalletRequest.js'

/**
 * Answers a call as the service does.
 *
 * @param before - Refuses the call, whatever it is, by throwing a {@link HttpError}.
 */
export const answerRequest = async (
  world: TestWorld,
  memory: ServiceMemory,
  call: ServiceCall,
  before: () => void,
): Promise<Answer> => {
  try {
    before()
    const answer = answerOrderRequest(world, memory, call) ?? answerWalletRequest(world, memory, call)
    if (!answer) throw notFound()
    return await answer
  } catch (error) {
    const refusal = toHttpError(error)
    if (!refusal) throw error
    const { status, message, detail } = refusal
    return { status, body: writeError({ message, detail, isText: hasTextErrors(call) }) }
  }
}
