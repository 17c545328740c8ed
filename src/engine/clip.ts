/**
 * Cuts a text to its longest length. By default that is the longest text of a caller that a message contains: ids are
 * shorter.
 *
 * @units characters
 */
export const clip = (text: string, most = 128): string =>
  // A character of two halves is not cut in the middle.
  text.length > most ? `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…` : text
