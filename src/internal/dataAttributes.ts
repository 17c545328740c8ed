/** A part's state. It is flat, so that every field can be an attribute. */
export type PartState = Readonly<Record<string, string | number | boolean | undefined>>

const toAttribute = (field: string): string =>
  `data-${field.replace(/^is(?=[A-Z])/, '').replace(/(?<=.)[A-Z]/g, (letter) => `-${letter}`)}`.toLowerCase()

/**
 * Converts a part's state to attributes for styling: booleans by presence (`isPending` is `data-pending`),
 * others by value (`payStep` is `data-pay-step`).
 */
export const toDataAttributes = (state: PartState): Record<string, string> => {
  const attributes: Record<string, string> = {}
  for (const [field, value] of Object.entries(state)) {
    if (value === undefined || value === false) continue
    attributes[toAttribute(field)] = value === true ? '' : String(value)
  }
  return attributes
}
