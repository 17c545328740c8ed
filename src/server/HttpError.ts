import { isKassaError } from '../errors/KassaError.js'

type ErrorHeaders = Readonly<Record<string, string>>

/** What an error tells the caller beside its message. */
type Told = {
  headers: ErrorHeaders
  /** A code for the caller, if the status alone is ambiguous. */
  reason: string | undefined
}

/** A request that is answered with an error in the interface's form. Its message is for the caller. */
export class HttpError extends Error implements Told {
  readonly status: number
  readonly headers: ErrorHeaders
  readonly reason: string | undefined

  /** @param more - `cause` holds what to report to the shop when the buyer is not at fault. */
  constructor(status: number, message: string, more: Partial<Told> & { cause?: unknown } = {}) {
    super(message, 'cause' in more ? { cause: more.cause } : undefined)
    this.status = status
    this.headers = more.headers ?? {}
    this.reason = more.reason
  }
}

const answer = (status: number, message: string, { headers, reason }: Partial<Told> = {}): Response => {
  const body = { error: reason === undefined ? true : { reason, message }, message }
  return Response.json(body, { status, headers: { 'cache-control': 'no-store', ...headers } })
}

const away = { headers: { 'retry-after': '10' } }

/** Returns the answer for an error, and whether the shop or the service caused it. */
const explainError = (error: unknown): { response: Response; isOurs: boolean } => {
  if (error instanceof HttpError)
    return {
      response: answer(error.status, error.message, error),
      isOurs: error.cause !== undefined,
    }
  if (isKassaError(error, 'cart.refused'))
    return { response: answer(400, error.context.message), isOurs: false }
  if (isKassaError(error, 'api.unreachable'))
    return {
      response: answer(503, 'The checkout service is temporarily unavailable: try again in a moment', away),
      isOurs: true,
    }
  if (isKassaError(error, 'api.timeout'))
    return { response: answer(504, 'The checkout service took too long: try again', away), isOurs: true }
  return {
    response: answer(500, 'The shop could not process this request: please contact the shop'),
    isOurs: true,
  }
}

/**
 * Answers the errors of a handler, and reports those that are not the caller's.
 *
 * @param tell - Gets the cause of each.
 */
export const answerErrors =
  (handle: (request: Request) => Promise<Response>, tell: (error: unknown) => void) =>
  async (request: Request): Promise<Response> => {
    try {
      return await handle(request)
    } catch (error) {
      const { response, isOurs } = explainError(error)
      // A buyer's disconnect is not an error.
      if (isOurs && !request.signal.aborted) tell(error instanceof HttpError ? error.cause : error)
      return response
    }
  }
