'use client'

import Link from 'next/link'
import { type ReactNode, useActionState, useId, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { SignInState } from '../../app/wallet/actions'
import { useNextFocus } from '../../lib/useNextFocus'
import { KeepFresh } from '../shop/KeepFresh'
import styles from './SignIn.module.css'

/** Props of {@link SignInForm}. */
export type SignInFormProps = {
  action: (state: SignInState, form: FormData) => Promise<SignInState>
  isSandbox: boolean
  /** What a visitor sees without signing in. */
  children: ReactNode
}

/** Asks for the e-mail address whose wallet to open, and confirms that a link is on its way. */
export function SignInForm({ action, isSandbox, children }: SignInFormProps) {
  const t = useTranslations('signIn')
  const common = useTranslations('common')
  const wallet = useTranslations('wallet')
  const [state, submit, isPending] = useActionState(action, {})
  const [isAsking, setAsking] = useState(false)
  const id = useId()
  const heading = useNextFocus<HTMLHeadingElement>(state.sentTo)
  const isSent = state.sentTo !== undefined && !isPending && !isAsking
  return (
    <div className={styles.box}>
      <h1 className="title" ref={heading} tabIndex={-1}>
        {wallet('title')}
      </h1>
      {children}
      <h2 className="heading">{t('heading')}</h2>
      <p>{t('about')}</p>
      {isSent ? (
        <div className={styles.sent} role="status">
          <p>{t.rich('sent', { email: state.sentTo ?? '', strong: (words) => <strong>{words}</strong> })}</p>
          {isSandbox && (
            <Link className="button" href="/sandbox/mails">
              {common('openMailbox')}
            </Link>
          )}
          <button className="link" type="button" onClick={() => setAsking(true)}>
            {t('otherAddress')}
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
            {common('email')}
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
            {isPending ? t('sending') : t('send')}
          </button>
          {state.message && !isPending && (
            <p className="alert" role="alert" id={`${id}-fault`}>
              {state.message}
            </p>
          )}
        </form>
      )}
      {isSandbox && <p className={`${styles.note} small soft`}>{t('sandbox')}</p>}
    </div>
  )
}
