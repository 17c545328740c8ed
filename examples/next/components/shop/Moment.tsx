const format = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
})

/** Shows a time, formatted the same way for every visitor. */
export function Moment({ at }: { at: Date }) {
  return <time dateTime={at.toISOString()}>{format.format(at)} UTC</time>
}
