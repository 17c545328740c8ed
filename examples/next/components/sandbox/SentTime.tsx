const format = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
})

/** When an e-mail was sent. */
export function SentTime({ at }: { at: Date | undefined }) {
  if (!at) return <span>Not sent yet</span>
  return <time dateTime={at.toISOString()}>{format.format(at)} UTC</time>
}
