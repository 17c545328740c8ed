/** A request that is answered with an error of the interface's form. Its message is for the caller. */
export class Refusal extends Error {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  /** @param options - In `cause` what the shop is told, where the buyer is not at fault. */
  constructor(
    status: number,
    message: string,
    headers: Readonly<Record<string, string>> = {},
    options?: { cause: unknown },
  ) {
    super(message, options)
    this.status = status
    this.headers = headers
  }
}
