'use client'

import { type Ref, useId, useState } from 'react'
import { useTranslations } from 'use-intl'
import { isAddressOf } from '../../lib/delivery'
import type { ChainFamily } from '../../lib/networks'
import styles from './PayView.module.css'

const labels = { evm: 'ethereumAddress', solana: 'solanaAddress' } as const
const faults = { evm: 'notEthereum', solana: 'notSolana' } as const

/** Asks for an account: by default the one to deliver to, where the paying wallet cannot receive the goods. */
export function AddressForm(props: {
  field?: Ref<HTMLInputElement>
  family: ChainFamily
  initial?: string
  /** What the button says. */
  submit?: string
  isPending?: boolean
  onSubmit: (address: string) => void
}) {
  const { field, family, initial = '', submit, isPending = false, onSubmit } = props
  const t = useTranslations('checkout')
  const [isFaulty, setFaulty] = useState(false)
  const id = useId()
  const faultId = useId()
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (isPending) return
        const text = new FormData(event.currentTarget).get('address')
        const address = typeof text === 'string' ? text.trim() : ''
        const isFit = isAddressOf(family, address)
        setFaulty(!isFit)
        if (isFit) onSubmit(address)
      }}
    >
      <label htmlFor={id}>{t(labels[family])}</label>
      <div className={styles.inline}>
        <input
          ref={field}
          className="field code"
          id={id}
          name="address"
          type="text"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
          defaultValue={initial}
          aria-invalid={isFaulty || undefined}
          aria-describedby={isFaulty ? faultId : undefined}
        />
        <button className="button" type="submit" aria-disabled={isPending || undefined}>
          {isPending && <span className="spinner" aria-hidden="true" />}
          {submit ?? t('useAddress')}
        </button>
      </div>
      {isFaulty && (
        <p id={faultId} className="alert" role="alert">
          {t(faults[family])}
        </p>
      )}
    </form>
  )
}
