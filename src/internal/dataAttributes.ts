/** What a part's state may hold: it is flat, so that every field can be an attribute. */
export type PartState = Readonly<Record<string, string | number | boolean | undefined>>

const toAttribute = (field: string): string =>
  `data-${field.replace(/^is(?=[A-Z])/, '').replace(/(?<=.)[A-Z]/g, (letter) => `-${letter}`)}`.toLowerCase()

/**
 * Writes a part's state as attributes to style by: booleans by presence (`isPending` is `data-pending`), the
 * rest by value (`payStep` is `data-pay-step`).
 */
export const toDataAttributes = (state: PartState): Record<string, string> => {
  const attributes: Record<string, string> = {}
  for (const [field, value] of Object.entries(state)) {
    if (value === undefined || value === false) continue
    attributes[toAttribute(field)] = value === true ? '' : String(value)
  }
  return attributes
}
