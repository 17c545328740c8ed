/** Why a rule refuses a request whose form is correct. */
type RefusalCode = 'key-invalid' | 'forbidden' | 'not-found' | 'conflict' | 'unprocessable'

/** A request that a rule of the engine refuses because of its caller, or of the state that it finds. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: RefusalCode

  constructor(code: RefusalCode, message: string) {
    super(message)
    this.code = code
  }
}
