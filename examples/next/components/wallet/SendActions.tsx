'use client'

import type { SendParams, TransactionStep, UseTransactionResult } from 'kassa/wallet'
import styles from './Dialog.module.css'

/** Props of {@link SendActions}. */
export type SendActionsProps = Pick<UseTransactionResult, 'approve' | 'reset'> & {
  step: TransactionStep
  /** The last request from this window; undefined before the first. */
  asked: SendParams | undefined
  ask: (params: SendParams) => void
  close: () => void
}

/** The actions for a token that is being sent or could not be sent. */
export function SendActions({ close, ...props }: SendActionsProps) {
  const { step } = props
  const [label, work] = findNext(props)
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
  asked,
  ask,
  approve,
  reset,
}: Omit<SendActionsProps, 'close'>): readonly [string?, (() => void)?] => {
  switch (step.status) {
    // Repeating the same request does not send twice.
    case 'unanswered':
      return ['Go on', () => ask(step.params)]
    case 'awaiting-approval':
      return ['Sign with your passkey', () => void approve()]
    case 'failed':
      if (step.transaction?.status === 'awaiting-approval') return ['Try again', () => void approve()]
      return asked && !step.isOutcomeKnown ? ['Try again', () => ask(asked)] : ['Back', reset]
    default:
      return []
  }
}
