/** A request that is answered with an error of the interface's form. Its message is for the caller. */
export class Refusal extends Error {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** By what the caller knows it, where that is more than its status. */
  readonly reason: string | undefined

  /** @param options - In `cause` what the shop is told, where the buyer is not at fault. */
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
