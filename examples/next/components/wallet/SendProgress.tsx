'use client'

import type { Transaction } from 'kassa/schema'
import type { TransactionStep } from 'kassa/wallet'
import { formatEther } from 'viem'
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
const describeFee = (step: TransactionStep, chain: string): string | undefined => {
  if (!('maxFeeWei' in step) || step.maxFeeWei === undefined) return undefined
  if (step.maxFeeWei === 0n) return 'None: the shop pays it'
  const currency = chainsByName[chain]?.nativeCurrency.symbol ?? ''
  return `At most ${formatEther(step.maxFeeWei)} ${currency}, from this wallet`
}

/** Shows the progress of a transfer: completed steps, the current step and any error. */
export function SendProgress({ step, chain, isByPasskey }: SendProgressProps) {
  if (step.status === 'failed')
    return (
      <div className="alert" role="alert">
        <p>{explainWallet(step.error, step.isOutcomeKnown)}</p>
      </div>
    )
  const now = order.indexOf(step.status === 'awaiting-approval' ? 'approving' : step.status)
  const network = getChainLabel(chain)
  // Each step's text while it runs and after it is done.
  const words: readonly (readonly [TransactionStep['status'], string, string])[] = [
    ['creating', 'Trying it out on the network', 'Tried out on the network'],
    ...(isByPasskey ? ([['approving', 'Waiting for your passkey', 'Signed by your passkey']] as const) : []),
    ['pending', `On its way on ${network}`, `Arrived on ${network}`],
  ]
  const txId = 'transaction' in step && step.transaction ? readTxId(step.transaction) : undefined
  const recipient = readRecipient(step)
  const fee = describeFee(step, chain)
  return (
    <>
      {(recipient || fee) && (
        <dl className={styles.rows}>
          {recipient && (
            <div>
              <dt>To</dt>
              <dd className="code">{recipient}</dd>
            </div>
          )}
          {fee && (
            <div>
              <dt>Fee</dt>
              <dd>{fee}</dd>
            </div>
          )}
        </dl>
      )}
      {step.status === 'unanswered' && (
        <p className="small soft">
          The answer to this was lost, so it is not known whether it was sent. Go on: it is sent once, however
          often you ask.
        </p>
      )}
      <ol className={styles.progress}>
        {words.map(([status, doing, done]) => {
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
          Transaction <TransactionLink txId={txId} chain={chain} />
        </p>
      )}
    </>
  )
}
