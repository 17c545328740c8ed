/** Reads a field of what may be no object at all; undefined where it is none, or lacks it. */
export const readField = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
