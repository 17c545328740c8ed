'use client'

import type { Transaction } from 'kassa/schema'
import type { TransactionStep } from 'kassa/wallet'
import { useLocale, useTranslations } from 'use-intl'
import { formatEther } from 'viem'
import type { Translate } from '../../lib/language/createTranslate'
import { formatMoney } from '../../lib/money'
import { chainsByName, getChainLabel } from '../../lib/networks'
import { readText } from '../../lib/read'
import { explainWallet } from '../../lib/wallet/explainWallet'
import { readRecipient } from '../../lib/wallet/readRecipient'
import { TransactionLink } from '../checkout/TransactionLink'
import styles from './Dialog.module.css'

/** Props of {@link SendProgress}. */
export type SendProgressProps = {
  step: TransactionStep
  chain: string
  /** Whether a passkey has to approve the transaction. */
  isByPasskey: boolean
}

const order: readonly TransactionStep['status'][] = ['creating', 'approving', 'pending', 'succeeded']

const readTxId = ({ onChain }: Transaction): string | undefined => readText(onChain.txId)

/** Describes the fee that the passkey is asked to approve. */
const useFee = (step: TransactionStep, chain: string): string | undefined => {
  const t = useTranslations('send')
  const locale = useLocale()
  if (!('maxFeeWei' in step) || step.maxFeeWei === undefined) return undefined
  if (step.maxFeeWei === 0n) return t('noFee')
  const currency = chainsByName[chain]?.nativeCurrency.symbol ?? ''
  return t('mostFee', { amount: formatMoney(formatEther(step.maxFeeWei), currency, locale) })
}

/** Returns the texts of each step: while it runs, and after it is done. */
const listSteps = (
  network: string,
  isByPasskey: boolean,
  t: Translate<'send'>,
): (readonly [TransactionStep['status'], string, string])[] => [
  ['creating', t('tryingOut'), t('triedOut')],
  ...(isByPasskey ? ([['approving', t('waiting'), t('signed')]] as const) : []),
  ['pending', t('onItsWay', { network }), t('arrived', { network })],
]

/** Shows the progress of a transfer: completed steps, the current step and any error. */
export function SendProgress({ step, chain, isByPasskey }: SendProgressProps) {
  const t = useTranslations('send')
  const common = useTranslations('common')
  const fee = useFee(step, chain)
  if (step.status === 'failed')
    return (
      <div className="alert" role="alert">
        <p>{explainWallet(step.error, t, step.isOutcomeKnown)}</p>
      </div>
    )
  const now = order.indexOf(step.status === 'awaiting-approval' ? 'approving' : step.status)
  const txId = 'transaction' in step && step.transaction ? readTxId(step.transaction) : undefined
  const recipient = readRecipient(step)
  return (
    <>
      {(recipient || fee) && (
        <dl className={styles.rows}>
          {recipient && (
            <div>
              <dt>{common('to')}</dt>
              <dd className="code">{recipient}</dd>
            </div>
          )}
          {fee && (
            <div>
              <dt>{t('fee')}</dt>
              <dd>{fee}</dd>
            </div>
          )}
        </dl>
      )}
      {step.status === 'unanswered' && <p className="small soft">{t('unanswered')}</p>}
      <ol className={styles.progress}>
        {listSteps(getChainLabel(chain), isByPasskey, t).map(([status, doing, done]) => {
          const at = order.indexOf(status)
          const state = at < now ? 'done' : at === now ? 'now' : 'later'
          return (
            <li
              key={status}
              className={styles.step}
              data-state={state}
              aria-current={state === 'now' ? 'step' : undefined}
            >
              {state === 'now' ? (
                <span className="spinner" aria-hidden="true" />
              ) : (
                <span aria-hidden="true">{state === 'done' ? '✓' : '·'}</span>
              )}
              <span>{state === 'done' ? done : doing}</span>
            </li>
          )
        })}
      </ol>
      {txId && (
        <p className="small soft">
          {common.rich('transaction', { link: () => <TransactionLink txId={txId} chain={chain} /> })}
        </p>
      )}
    </>
  )
}
