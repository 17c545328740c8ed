/** A caller's input that a rule of the engine refuses. The message names each field and its fault. */
export class InvalidInput extends Error {
  override readonly name = 'InvalidInput'
}

/** Creates the refusal of a field. */
export const invalid = (field: string, fault: string): InvalidInput => new InvalidInput(`${field}: ${fault}`)
