import { shareFormat } from './shareFormat.js'

const units = (['hour', 'minute', 'second'] as const).map((unit) =>
  shareFormat((locale) => new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' })),
)

/**
 * Formats a duration in words, to be read aloud: `4 minutes 5 seconds`.
 *
 * @units Whole seconds.
 */
export const formatDuration = (seconds: number, locale: string | undefined): string => {
  const counts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return counts
    .map((count, index) => (count || (index === 2 && !seconds) ? units[index]?.(locale).format(count) : ''))
    .filter(Boolean)
    .join(' ')
}
