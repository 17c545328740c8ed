import type { ReactElement, ReactNode } from 'react'
import type { AttemptRecord, CheckedRecord, OrderRecord } from '../snapshot.js'
import { formatTime } from './format.js'

/** Renders a heading and a `<dl>` of the known values. Unknown values are left out. */
const Rows = (props: { title: string; rows: readonly (readonly [string, ReactNode])[] }): ReactElement => (
  <section className="section">
    <h3>{props.title}</h3>
    <dl className="rows">
      {props.rows
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  </section>
)

const formatMoment = (atMs: number): string => {
  const { time, rest } = formatTime(atMs)
  return `${time}${rest}`
}

const Checked = ({ checked }: { checked: CheckedRecord }) => (
  <Rows
    title="Checked before the wallet was asked"
    rows={[
      ['Chain', checked.chainId === undefined ? checked.chain : `${checked.chain} (${checked.chainId})`],
      ['Amount', `${checked.amount.amount} ${checked.amount.currency.toUpperCase()}`],
      ['Recipient', checked.recipient],
      ['Sent to', checked.to],
      ['Token', checked.token ?? 'native currency'],
      ['Gas limit', checked.gas ?? 'left to the wallet'],
      [
        'Simulation',
        `passed at ${checked.chainId === undefined ? 'slot' : 'block'} ${checked.simulatedAtBlock}`,
      ],
      ['Time', formatMoment(checked.atMs)],
    ]}
  />
)

const stateOf = ({ isOpen, isDropped, txId }: AttemptRecord): string => {
  if (!isOpen) return 'settled'
  if (isDropped) return 'dropped by the network'
  return txId === undefined ? 'the wallet has not answered' : 'sent'
}

const Attempt = ({ attempt, number }: { attempt: AttemptRecord; number: number }) => (
  <Rows
    title={`Attempt ${number}`}
    rows={[
      ['State', stateOf(attempt)],
      ['Asked at', formatMoment(attempt.attemptedAtMs)],
      ['Payer', attempt.payerAddress],
      ['Transaction', attempt.txId],
      ...(attempt.family === 'solana'
        ? ([
            ['Recipient', attempt.recipient],
            ['From slot', attempt.fromSlot],
            ['Last block', attempt.lastBlockHeight],
          ] as const)
        : ([
            ['Bundle', attempt.callsId],
            ['Nonce', attempt.nonce],
            ['Value', `${attempt.valueWei} wei`],
            ['From block', attempt.fromBlock],
          ] as const)),
    ]}
  />
)

/** Renders the payment's step, the checks, and every attempt. */
export const PaymentTab = ({ order }: { order: OrderRecord }): ReactElement => {
  const { step, checked, attempts } = order
  return (
    <>
      <Rows
        title="Now"
        rows={[
          ['Step', step.status],
          ['Transaction', step.txId],
          [
            'Error',
            step.code && (
              <>
                <span className="bad">{step.code}</span>
                <p>{step.message}</p>
              </>
            ),
          ],
          ['Payer', order.payer],
          ['Price', order.total],
          ['Price ends', order.expiresAt],
        ]}
      />
      {checked && <Checked checked={checked} />}
      {attempts
        .map((attempt, index) => <Attempt key={attempt.id} attempt={attempt} number={index + 1} />)
        .reverse()}
      {!checked && !attempts.length && (
        <p className="empty">Before the wallet is asked, what was checked will stand here.</p>
      )}
    </>
  )
}
