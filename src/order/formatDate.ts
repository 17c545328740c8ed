import { shareFormat } from './shareFormat.js'

const getFormat = shareFormat((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }))

/**
 * Writes the day of a moment where the buyer is: `Mar 2, 2026`.
 *
 * @param timestamp - ISO 8601.
 * @returns The timestamp as it came when it is none.
 */
export const formatDate = (timestamp: string, locale: string | undefined): string => {
  const timeMs = Date.parse(timestamp)
  return Number.isNaN(timeMs) ? timestamp : getFormat(locale).format(timeMs)
}
