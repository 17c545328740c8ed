/** A request that is answered with an error in the interface's form. Its message is for the caller. */
export class HttpError extends Error {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** A code for the caller, if the status alone is ambiguous. */
  readonly reason: string | undefined

  /** @param options - `cause` holds what to report to the shop when the buyer is not at fault. */
  constructor(
    status: number,
    message: string,
    headers: Readonly<Record<string, string>> = {},
    options: { cause?: unknown; reason?: string } = {},
  ) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.status = status
    this.headers = headers
    this.reason = options.reason
  }
}
