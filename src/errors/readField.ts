/** Reads a field of any value; undefined if the value is not an object or lacks it. */
export const readField = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
