'use client'

import type { SendParams, TransactionStep, UseTransactionResult } from 'kassa/wallet'
import { useTranslations } from 'use-intl'
import type { Translate } from '../../lib/language/createTranslate'
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
  const t = useTranslations('send')
  const [label, work] = findNext(props, t)
  return (
    <div className={styles.actions}>
      <button className="button" type="button" onClick={close}>
        {step.status === 'succeeded' ? t('done') : t('close')}
      </button>
      {work && (
        <button className="button" type="button" onClick={work}>
          {label}
        </button>
      )}
    </div>
  )
}

const findNext = (
  { step, asked, ask, approve, reset }: Omit<SendActionsProps, 'close'>,
  t: Translate<'send'>,
): readonly [string?, (() => void)?] => {
  switch (step.status) {
    // Repeating the same request does not send twice.
    case 'unanswered':
      return [t('goOn'), () => ask(step.params)]
    case 'awaiting-approval':
      return [t('sign'), () => void approve()]
    case 'failed':
      if (step.transaction?.status === 'awaiting-approval') return [t('tryAgain'), () => void approve()]
      return asked && !step.isOutcomeKnown ? [t('tryAgain'), () => ask(asked)] : [t('back'), reset]
    default:
      return []
  }
}
