'use client'

import { useId } from 'react'
import styles from './BuyForm.module.css'

/** A number field with a button on each side. */
export function QuantityField(props: { most: number; value: number; onChange: (quantity: number) => void }) {
  const { most, value, onChange } = props
  const id = useId()
  const set = (quantity: number): void => onChange(Math.min(most, Math.max(1, quantity)))
  return (
    <div className={styles.quantity}>
      <label className={styles.legend} htmlFor={id}>
        Quantity
      </label>
      <div className={styles.stepper}>
        <button type="button" aria-label="One less" aria-disabled={value <= 1} onClick={() => set(value - 1)}>
          −
        </button>
        <input
          id={id}
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
          aria-label="One more"
          aria-disabled={value >= most}
          onClick={() => set(value + 1)}
        >
          +
        </button>
      </div>
    </div>
  )
}
