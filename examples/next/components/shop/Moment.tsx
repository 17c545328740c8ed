const format = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
})

/** When something happened, the same for whoever looks. */
export function Moment({ at }: { at: Date }) {
  return <time dateTime={at.toISOString()}>{format.format(at)} UTC</time>
}
