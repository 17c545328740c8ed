'use client'

import { catchError } from 'next/error'
import { type ReactNode, useActionState, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { BuyState } from '../../app/editions/[id]/buy'
import { useOnline } from '../../lib/useOnline'
import styles from './OrderForm.module.css'

/** Props of {@link OrderForm}. */
export type OrderFormProps = {
  /** Creates the order that the form's fields name, and opens its checkout. */
  action: (state: BuyState, form: FormData) => Promise<BuyState>
  /** The fields that name what is ordered. */
  children: ReactNode
  label: string
  /** A sentence below the button. */
  note?: string
  look?: 'main'
}

type FormProps = Omit<OrderFormProps, 'children'> & {
  fields: ReactNode
  /** Whether the answer to the last press was lost. */
  hasFailed?: boolean
}

/** A form that orders what its fields name, also before its code has loaded and without JavaScript. */
export function OrderForm({ children, ...props }: OrderFormProps) {
  return <KeptForm {...props} fields={children} />
}

/** Keeps the page when the press cannot reach the shop: the action then throws, which would replace the whole page. */
function KeptForm(props: FormProps) {
  return (
    <Keeper {...props}>
      <Form {...props} />
    </Keeper>
  )
}

const Keeper = catchError((props: FormProps) => <KeptForm {...props} hasFailed />)

function Form({ action, fields, label, note, look, hasFailed = false }: FormProps) {
  const t = useTranslations('buy')
  const [state, submit, isPending] = useActionState(action, {})
  const [isRefused, setRefused] = useState(false)
  const isOnline = useOnline()
  const lost = hasFailed ? t(isOnline ? 'away' : 'offline') : undefined
  const message = isRefused && !isOnline ? t('offline') : (state.message ?? lost)
  return (
    <form
      className={styles.form}
      action={submit}
      onSubmit={(event) => {
        setRefused(!navigator.onLine)
        // A second press during submission does not start a second purchase.
        if (isPending || !navigator.onLine) event.preventDefault()
      }}
    >
      {fields}
      <div className={styles.submit}>
        <button className="button" data-look={look} type="submit" aria-disabled={isPending}>
          {isPending ? (
            <>
              <span className="spinner" aria-hidden="true" />
              {t('opening')}
            </>
          ) : (
            label
          )}
        </button>
        {note && <p className="small soft">{note}</p>}
      </div>
      {message && !isPending && (
        <p className="alert" role="alert">
          {message}
        </p>
      )}
    </form>
  )
}
