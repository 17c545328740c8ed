'use client'

import { useId, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import type { Confirmations, PaymentRequest } from '../../lib/demoWallet/confirmations'
import { Address } from './Address'
import styles from './ConfirmPayment.module.css'

/** The demo wallet's own window. It asks its owner about one payment at a time. */
export function ConfirmPayment({ confirmations }: { confirmations: Confirmations }) {
  const request = useSyncExternalStore(confirmations.subscribe, confirmations.get, () => undefined)
  return request ? <PaymentDialog request={request} answer={confirmations.answer} /> : null
}

function PaymentDialog(props: { request: PaymentRequest; answer: Confirmations['answer'] }) {
  const { request, answer } = props
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const amountId = useId()
  // Closes before it unmounts, so that the focus returns to where it was.
  useLayoutEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={ref}
      className={styles.dialog}
      aria-labelledby={titleId}
      aria-describedby={amountId}
      onCancel={(event) => {
        event.preventDefault()
        answer(false)
      }}
    >
      <p className={styles.wallet}>
        <span className={styles.badge}>Demo wallet</span> Test funds only
      </p>
      <h2 id={titleId} className="heading">
        Confirm payment
      </h2>
      <p id={amountId} className={styles.amount}>
        {request.amount}
      </p>
      <dl className={styles.rows}>
        <div>
          <dt>Network</dt>
          <dd>{request.network}</dd>
        </div>
        <div>
          <dt>To</dt>
          <dd>
            <Address value={request.to} />
          </dd>
        </div>
        <div>
          <dt>From</dt>
          <dd>
            <Address value={request.from} />
          </dd>
        </div>
      </dl>
      <div className={styles.actions}>
        <button className="button" type="button" onClick={() => answer(false)}>
          Decline
        </button>
        <button className="button" data-look="main" type="button" onClick={() => answer(true)}>
          Confirm
        </button>
      </div>
    </dialog>
  )
}
