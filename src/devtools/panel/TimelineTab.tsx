import type { ReactElement } from 'react'
import type { TimelineRecord } from '../snapshot.js'
import { formatGap, formatTime } from './format.js'

const titles: Readonly<Record<TimelineRecord['kind'], string>> = {
  order: 'Order changed',
  step: 'Step',
  checked: 'Checked',
  quote: 'Quote renewed',
  payment: 'Payment replaced',
  forced: 'Forced',
  released: 'Released',
}

// Only a hash is too long for one line and may break.
const Value = ({ children }: { children: string }) => (
  <code className={children.length > 24 ? 'long' : undefined}>{children}</code>
)

const Entry = ({ record, gapMs }: { record: TimelineRecord; gapMs: number | undefined }) => {
  const { atMs, kind, changes, code, isForced } = record
  const { time, rest } = formatTime(atMs)
  const isFirst = kind === 'order' && changes.every(({ from }) => from === undefined)
  return (
    <li>
      <time dateTime={new Date(atMs).toISOString()}>
        {time}
        <span className="rest quiet">{rest}</span>
      </time>
      <span className="kind" data-kind={kind}>
        {isFirst ? 'Order read' : titles[kind]}
        {isForced && kind === 'order' && <span className="quiet"> (forced)</span>}
      </span>
      <span className="gap">{gapMs !== undefined && formatGap(gapMs)}</span>
      <ul className="changes">
        {changes.map(({ field, from, to }) => (
          <li key={field}>
            <span className="quiet">{field}</span>{' '}
            {from !== undefined && (
              <>
                <Value>{from}</Value> →{' '}
              </>
            )}
            <Value>{to}</Value>
          </li>
        ))}
        {code && (
          <li>
            <code className="bad">{code}</code>
          </li>
        )}
      </ul>
    </li>
  )
}

/** Renders an `<ol>` of the events of an order and its payment, the newest first. */
export const TimelineTab = ({ records }: { records: readonly TimelineRecord[] }): ReactElement => {
  if (!records.length) return <p className="empty">Nothing has happened yet.</p>
  const entries = records.map((record, index) => {
    const before = records[index - 1]
    return <Entry key={record.id} record={record} gapMs={before && record.atMs - before.atMs} />
  })
  return <ol className="timeline">{entries.reverse()}</ol>
}
