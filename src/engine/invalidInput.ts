/** A caller's input that a rule of the engine refuses. The message names the field and its fault. */
export class InvalidInput extends Error {
  override readonly name = 'InvalidInput'

  constructor(field: string, fault: string) {
    super(`${field}: ${fault}`)
  }
}
