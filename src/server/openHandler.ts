import { guardOrigin, readOrigins } from './guardOrigin.js'
import { answerErrors } from './HttpError.js'

/** Reports an error that the buyer did not cause. */
type Tell = (error: unknown) => void

/** What the handlers of a shop have in common. */
type HandlerFrame = {
  /** What the requests are about, in the console. */
  kind: 'checkout' | 'wallet'
  /** Further same-site origins whose pages may call. */
  origins: readonly string[]
  /** Whether browsers send the session automatically, as a cookie. */
  isByCookie: boolean
  /** Receives errors that the buyer did not cause. By default they go to the console. */
  onError: Tell | undefined
}

/**
 * Creates a handler that lets in the pages of allowed origins and answers every error.
 *
 * @throws {@link KassaError} `config.origin-invalid`
 */
export const openHandler = (
  { kind, origins, isByCookie, onError }: HandlerFrame,
  handle: (request: Request, tell: Tell) => Promise<Response>,
): ((request: Request) => Promise<Response>) => {
  const tell: Tell = (error) => {
    if (onError) onError(error)
    else console.error(`A ${kind} request was not handled.`, error)
  }
  return guardOrigin(
    { origins: readOrigins(origins), isByCookie },
    answerErrors((request) => handle(request, tell), tell),
  )
}
