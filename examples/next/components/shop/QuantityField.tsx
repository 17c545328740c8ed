'use client'

import { useId } from 'react'
import { useTranslations } from 'use-intl'
import styles from './BuyForm.module.css'

/** Props of {@link QuantityField}. */
export type QuantityFieldProps = {
  /** The most that one order can have. */
  most: number
  /** How many are left; undefined for an open edition. */
  left: number | undefined
  value: number
  onChange: (quantity: number) => void
}

/** A number field with a button on each side. */
export function QuantityField({ most, left, value, onChange }: QuantityFieldProps) {
  const t = useTranslations('buy')
  const id = useId()
  const set = (quantity: number): void => onChange(Math.min(most, Math.max(1, quantity)))
  return (
    <div className={styles.quantity}>
      <div>
        <label className={styles.legend} htmlFor={id}>
          {t('quantity')}
        </label>
        {left !== undefined && (
          <p id={`${id}-left`} className="small soft">
            {t('left', { count: left })}
          </p>
        )}
      </div>
      <div className={styles.stepper}>
        <button
          type="button"
          aria-label={t('less')}
          aria-disabled={value <= 1}
          onClick={() => set(value - 1)}
        >
          −
        </button>
        <input
          id={id}
          aria-describedby={left === undefined ? undefined : `${id}-left`}
          name="quantity"
          type="number"
          inputMode="numeric"
          min={1}
          max={most}
          step={1}
          required
          value={value}
          onChange={(event) => {
            const quantity = Math.trunc(event.target.valueAsNumber)
            if (!Number.isNaN(quantity)) set(quantity)
          }}
        />
        <button
          type="button"
          aria-label={t('more')}
          aria-disabled={value >= most}
          onClick={() => set(value + 1)}
        >
          +
        </button>
      </div>
    </div>
  )
}
