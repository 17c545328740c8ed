/**
 * Makes one short line of text that somebody else wrote, so that it can stand in a message: without control
 * characters, without marks that turn the direction of writing, and not longer than asked.
 */
export const toLine = (text: string, maxLength = 80): string => {
  // Cut before it is cleaned as well: what a contract says may be as long as it pays for.
  const line = text
    .slice(0, maxLength * 4)
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
  const characters = [...line]
  return characters.length <= maxLength ? line : `${characters.slice(0, maxLength - 1).join('')}…`
}
