'use client'

import Link from 'next/link'
import { useActionState, useId, useState } from 'react'
import type { SignInState } from '../../app/wallet/actions'
import { useNextFocus } from '../../lib/useNextFocus'
import { KeepFresh } from '../shop/KeepFresh'
import styles from './SignIn.module.css'

/** Props of {@link SignInForm}. */
export type SignInFormProps = {
  action: (state: SignInState, form: FormData) => Promise<SignInState>
  isSandbox: boolean
}

/** Asks for the e-mail address whose wallet to open, and confirms that a link is on its way. */
export function SignInForm({ action, isSandbox }: SignInFormProps) {
  const [state, submit, isPending] = useActionState(action, {})
  const [isAsking, setAsking] = useState(false)
  const id = useId()
  const heading = useNextFocus<HTMLHeadingElement>(state.sentTo)
  const isSent = state.sentTo !== undefined && !isPending && !isAsking
  return (
    <div className={styles.box}>
      <h1 className="title" ref={heading} tabIndex={-1}>
        Your wallet
      </h1>
      <p className="lead">
        Whatever you bought with an e-mail address is kept in a wallet of yours. Sign in to see it, to prove
        that it is yours, and to send it on.
      </p>
      {isSent ? (
        <div className={styles.sent} role="status">
          <p>
            A link is on its way to <strong>{state.sentTo}</strong>. It works once, for 15 minutes; this page
            opens your wallet by itself when you have followed it in this browser.
          </p>
          {isSandbox && (
            <Link className="button" href="/sandbox/mails">
              Open the sandbox’s mailbox
            </Link>
          )}
          <button className="link" type="button" onClick={() => setAsking(true)}>
            Use another address
          </button>
          <KeepFresh />
        </div>
      ) : (
        <form
          className={styles.form}
          action={submit}
          onSubmit={(event) => {
            if (isPending) event.preventDefault()
            else setAsking(false)
          }}
        >
          <label className={styles.label} htmlFor={id}>
            E-mail address
          </label>
          <input
            className="field"
            id={id}
            name="email"
            type="email"
            autoComplete="email"
            required
            maxLength={254}
            aria-invalid={state.message !== undefined && !isPending}
            aria-describedby={state.message ? `${id}-fault` : undefined}
          />
          <button className="button" data-look="main" type="submit" aria-disabled={isPending}>
            {isPending && <span className="spinner" aria-hidden="true" />}
            {isPending ? 'Sending…' : 'Send me a link'}
          </button>
          {state.message && !isPending && (
            <p className="alert" role="alert" id={`${id}-fault`}>
              {state.message}
            </p>
          )}
        </form>
      )}
      {isSandbox && (
        <p className={`${styles.note} small soft`}>
          In this sandbox no mail leaves the machine: the link is in the sandbox’s mailbox, which every
          visitor of this page can read. A real shop sends it to the address, and so learns that it is yours.
        </p>
      )}
    </div>
  )
}
