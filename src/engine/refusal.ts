/** Why a rule refuses a request whose form is correct. */
type RefusalCode = 'key-invalid' | 'forbidden' | 'not-found' | 'conflict' | 'unprocessable' | 'reverted'

/** The fields of a refusal in place of `error: true`, such as the chain's own reason. */
type RefusalDetail = { reason: string; message: string } & Readonly<Record<string, unknown>>

/** A request that a rule of the engine refuses because of its caller, or of the state that it finds. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: RefusalCode
  readonly detail: RefusalDetail | undefined

  constructor(code: RefusalCode, message: string, detail?: RefusalDetail) {
    super(message)
    this.code = code
    this.detail = detail
  }
}
