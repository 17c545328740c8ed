'use client'

import type { TransactionStep, UseTransactionResult } from 'kassa/wallet'
import styles from './Dialog.module.css'

/** What {@link SendActions} takes. */
export type SendActionsProps = Omit<UseTransactionResult, 'step'> & {
  step: TransactionStep
  close: () => void
}

/** What can be done about a token that is being sent, or was not. */
export function SendActions({ step, send, approve, reset, close }: SendActionsProps) {
  const [label, work] = findNext({ step, send, approve, reset })
  return (
    <div className={styles.actions}>
      <button className="button" type="button" onClick={close}>
        {step.status === 'succeeded' ? 'Done' : 'Close'}
      </button>
      {work && (
        <button className="button" type="button" onClick={work}>
          {label}
        </button>
      )}
    </div>
  )
}

const findNext = ({
  step,
  send,
  approve,
  reset,
}: Omit<SendActionsProps, 'close'>): readonly [string?, (() => void)?] => {
  switch (step.status) {
    // After a reload: whatever was asked for, asking for the same again does it once.
    case 'unanswered':
      return ['Go on', () => void send(step.params)]
    case 'awaiting-approval':
      return ['Sign with your passkey', () => void approve()]
    case 'failed':
      return step.transaction?.status === 'awaiting-approval'
        ? ['Try again', () => void approve()]
        : ['Back', reset]
    default:
      return []
  }
}
