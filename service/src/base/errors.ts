import { InvalidInput, Refusal } from 'kassa/engine'
/** All errors that callers see: each code with its status and whether to try again. */
export const serviceErrors = {
  'input-invalid': { status: 400, retryable: false },
  'key-invalid': { status: 401, retryable: false },
  forbidden: { status: 403, retryable: false },
  'not-found': { status: 404, retryable: false },
  conflict: { status: 409, retryable: false },
  'body-too-large': { status: 413, retryable: false },
  unprocessable: { status: 422, retryable: false },
  reverted: { status: 422, retryable: false },
  'rate-limited': { status: 429, retryable: true },
  'chain-unavailable': { status: 503, retryable: true },
  'rates-unavailable': { status: 503, retryable: true },
  'database-unavailable': { status: 503, retryable: true },
  timeout: { status: 504, retryable: true },
} as const satisfies Record<string, { status: number; retryable: boolean }>

/** The code of an error that callers see. */
export type ServiceErrorCode = keyof typeof serviceErrors

/** The fields of a refusal in place of `error: true`, such as the chain's own reason. */
export type ErrorDetail = { reason: string; message: string } & Readonly<Record<string, unknown>>

/** The only class that the service throws on purpose. Any other thrown error is a bug and answers 500. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: ServiceErrorCode
  readonly retryAfterSeconds: number | undefined
  readonly detail: ErrorDetail | undefined
  /** Whether a node failed, rather than answered that something is not so yet. */
  readonly isOutage: boolean

  constructor(
    code: ServiceErrorCode,
    message: string,
    options: { cause?: unknown; retryAfterSeconds?: number; detail?: ErrorDetail; isOutage?: boolean } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.retryAfterSeconds = options.retryAfterSeconds
    this.detail = options.detail
    this.isOutage = options.isOutage ?? false
  }

  get status(): (typeof serviceErrors)[ServiceErrorCode]['status'] {
    return serviceErrors[this.code].status
  }

  get isRetryable(): boolean {
    return serviceErrors[this.code].retryable
  }
}

/** Returns the error of a request that a rule of the engine refuses. */
export const toServiceError = (refusal: InvalidInput | Refusal): ServiceError =>
  refusal instanceof Refusal
    ? new ServiceError(refusal.code, refusal.message, refusal.detail && { detail: refusal.detail })
    : new ServiceError('input-invalid', refusal.message)

/**
 * Throws what a rule of the engine threw as an error of the service.
 *
 * @throws {@link ServiceError} `input-invalid` if the rule refuses the input, or the code of its refusal.
 */
export const rethrowRefusal = (error: unknown): never => {
  if (error instanceof InvalidInput || error instanceof Refusal) throw toServiceError(error)
  throw error
}

/**
 * Runs a rule of the engine on a request.
 *
 * @throws {@link ServiceError} as {@link rethrowRefusal} does.
 */
export const checkInput = <Result>(rule: () => Result): Result => {
  try {
    return rule()
  } catch (error) {
    return rethrowRefusal(error)
  }
}
