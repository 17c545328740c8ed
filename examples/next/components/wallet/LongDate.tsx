const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** A day, with its year: for what lasts. */
export function LongDate({ at }: { at: Date }) {
  return Number.isNaN(at.getTime()) ? 'Unknown' : <time dateTime={at.toISOString()}>{format.format(at)}</time>
}
