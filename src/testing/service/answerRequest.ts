import { InvalidInput } from '../../engine/invalidInput.js'
import type { ServiceMemory } from './caller.js'
import type { Answer, ServiceCall } from './http.js'
import { badInput, HttpError, notFound } from './http.js'
import { answerOrderRequest } from './orders.js'
import type { TestWorld } from './testWorld.js'
import { answerWalletRequest, hasTextErrors } from './wallets/answerWalletRequest.js'

const maxCharacters = 2_000

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text)

/** An error quotes the caller's input, but only its beginning. */
const shorten = (message: string): string =>
  cut(
    message.replace(/\S+/g, (word) => cut(word, 200)),
    maxCharacters,
  )

/** What the service answers in place of what was asked for. */
const writeRefusal = (call: ServiceCall, { status, message, detail }: HttpError): Answer => {
  const text = shorten(message)
  if (hasTextErrors(call)) return { status, body: { error: text } }
  return { status, body: { error: detail ?? true, message: text } }
}

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
    if (error instanceof InvalidInput) return writeRefusal(call, badInput(error.message))
    if (!(error instanceof HttpError)) throw error
    return writeRefusal(call, error)
  }
}
