import type { ReactElement } from 'react'
import type { CallRecord } from '../snapshot.js'
import { formatBytes, formatTime } from './format.js'

const classOf = ({ status, isCancelled }: CallRecord): string => {
  if (status === 304 || isCancelled) return 'unchanged'
  return status !== undefined && status < 400 ? 'fine' : 'bad'
}

const nameOf = ({ orderId, method, path }: CallRecord): string =>
  orderId === undefined ? `${method} ${path}` : `${method} order${path && `/${path}`}`

const Row = ({ record }: { record: CallRecord }) => {
  const { time, rest } = formatTime(record.atMs)
  return (
    <tr>
      <td>
        {time}
        <span className="rest quiet">{rest}</span>
      </td>
      <td>{nameOf(record)}</td>
      <td className={classOf(record)}>{record.status ?? (record.isCancelled ? 'cancelled' : 'no answer')}</td>
      <td>{record.ms} ms</td>
      <td>{formatBytes(record.bytes)}</td>
    </tr>
  )
}

const Summary = ({ records }: { records: readonly CallRecord[] }) => {
  const unchanged = records.filter(({ status }) => status === 304).length
  const failed = records.filter((record) => classOf(record) === 'bad').length
  const bytes = records.reduce((sum, record) => sum + record.bytes, 0)
  const ms = records.reduce((sum, record) => sum + record.ms, 0)
  return (
    <p className="summary">
      <span>
        <b>{records.length}</b> <span className="quiet">requests</span>
      </span>
      <span>
        <b>{unchanged}</b> <span className="quiet">unchanged</span>
      </span>
      <span className={failed ? 'bad' : undefined}>
        <b>{failed}</b> <span className={failed ? undefined : 'quiet'}>failed</span>
      </span>
      <span>
        <b>{formatBytes(bytes)}</b> <span className="quiet">read</span>
      </span>
      <span>
        <b>{Math.round(ms / records.length)} ms</b> <span className="quiet">on average</span>
      </span>
    </p>
  )
}

/** Renders the requests to the service and their costs, the newest first. */
export const RequestsTab = ({ records }: { records: readonly CallRecord[] }): ReactElement => {
  if (!records.length) return <p className="empty">Nothing has been asked of the service yet.</p>
  return (
    <>
      <Summary records={records} />
      <table>
        <caption className="hidden">Requests to the service, the newest first</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Request</th>
            <th scope="col">Status</th>
            <th scope="col">Took</th>
            <th scope="col">Body</th>
          </tr>
        </thead>
        <tbody>{records.map((record) => <Row key={record.id} record={record} />).reverse()}</tbody>
      </table>
    </>
  )
}
