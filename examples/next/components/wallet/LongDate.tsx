const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** Shows a day with its year, for dates far away. */
export function LongDate({ at }: { at: Date }) {
  return Number.isNaN(at.getTime()) ? 'Unknown' : <time dateTime={at.toISOString()}>{format.format(at)}</time>
}
