'use client'

import { useActionState } from 'react'
import { useTranslations } from 'use-intl'
import type { ConfirmState } from '../../app/wallet/actions'
import styles from './SignIn.module.css'

/** Props of {@link ConfirmSignIn}. */
export type ConfirmSignInProps = {
  email: string
  /** The token from the link. Pressing the button consumes it. */
  token: string
  action: (state: ConfirmState, form: FormData) => Promise<ConfirmState>
}

/** Asks the visitor to confirm signing in with the address the link is for. */
export function ConfirmSignIn({ email, token, action }: ConfirmSignInProps) {
  const t = useTranslations('signIn')
  const [state, submit, isPending] = useActionState(action, {})
  return (
    <div className={styles.box}>
      <h1 className="title">{t('confirmTitle')}</h1>
      <p className="lead">{t.rich('confirm', { email, strong: (words) => <strong>{words}</strong> })}</p>
      <form action={submit} onSubmit={(event) => isPending && event.preventDefault()}>
        <input type="hidden" name="token" value={token} />
        <button className="button" data-look="main" type="submit" aria-disabled={isPending}>
          {isPending && <span className="spinner" aria-hidden="true" />}
          {t('title')}
        </button>
      </form>
      {state.message && !isPending && (
        <p className="alert" role="alert">
          {state.message}
        </p>
      )}
    </div>
  )
}
