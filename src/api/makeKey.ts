/**
 * Creates a unique key. It uses random values, because `crypto.randomUUID` is missing on plain-http pages.
 *
 * @returns 32 hex digits.
 */
export const makeKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
