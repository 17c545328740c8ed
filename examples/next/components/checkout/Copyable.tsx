'use client'

import { useState } from 'react'
import { Address } from './Address'
import styles from './ReceiptView.module.css'

/** Shows a shortened address or hash with a button that copies the full value. */
export function Copyable({ value, what }: { value: string; what: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(value)
    setCopied(true)
    setTimeout(() => setCopied(false), 2_000)
  }
  return (
    <span className={styles.copyable}>
      <Address value={value} />
      <button className="link" type="button" onClick={() => void copy()}>
        {isCopied ? 'Copied' : 'Copy'} <span className="hidden">{what}</span>
      </button>
      <span className="hidden" role="status">
        {isCopied && 'Copied'}
      </span>
    </span>
  )
}
