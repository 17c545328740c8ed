/**
 * Turns untrusted text into one short line for a message: without control characters, without marks that
 * change the writing direction, and cut to a maximum length.
 */
export const toLine = (text: string, maxLength = 80): string => {
  // Cut before it is cleaned as well, because a contract's text may be as long as its caller pays for.
  const line = text
    .slice(0, maxLength * 4)
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
  const characters = [...line]
  return characters.length <= maxLength ? line : `${characters.slice(0, maxLength - 1).join('')}…`
}
