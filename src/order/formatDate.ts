import { shareFormat } from './shareFormat.js'

const getFormat = shareFormat((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }))

/**
 * Formats a moment's date in the buyer's time zone: `Mar 2, 2026`.
 *
 * @param timestamp - ISO 8601.
 * @returns The input unchanged if it is not a timestamp.
 */
export const formatDate = (timestamp: string, locale: string | undefined): string => {
  const timeMs = Date.parse(timestamp)
  return Number.isNaN(timeMs) ? timestamp : getFormat(locale).format(timeMs)
}

const getTimeFormat = shareFormat(
  (locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }),
)

/**
 * Formats a moment's date and time in the buyer's time zone: `Mar 2, 2026, 4:00 PM`.
 *
 * @param timestamp - ISO 8601.
 * @returns The input unchanged if it is not a timestamp.
 */
export const formatDateTime = (timestamp: string, locale: string | undefined): string => {
  const timeMs = Date.parse(timestamp)
  return Number.isNaN(timeMs) ? timestamp : getTimeFormat(locale).format(timeMs)
}
