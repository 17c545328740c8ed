'use client'

import { type Ref, useId } from 'react'
import { useTranslations } from 'use-intl'
import styles from './PayView.module.css'

/** Asks for the e-mail address to deliver to. */
export function EmailForm(props: {
  field: Ref<HTMLInputElement>
  initial: string
  onSubmit: (email: string) => void
}) {
  const { field, initial, onSubmit } = props
  const t = useTranslations('checkout')
  const common = useTranslations('common')
  const id = useId()
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        const email = new FormData(event.currentTarget).get('email')
        if (typeof email === 'string' && email.trim()) onSubmit(email.trim())
      }}
    >
      <label htmlFor={id}>{common('email')}</label>
      <div className={styles.inline}>
        <input
          ref={field}
          className="field"
          id={id}
          name="email"
          type="email"
          autoComplete="email"
          required
          defaultValue={initial}
        />
        <button className="button" type="submit">
          {t('useAddress')}
        </button>
      </div>
    </form>
  )
}
