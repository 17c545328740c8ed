'use client'

import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Address } from './Address'
import styles from './ReceiptView.module.css'

const hide = (words: ReactNode) => <span className="hidden">{words}</span>

/** Shows an address, a hash or an id shortened, with a button that copies the full value. */
export function Copyable({ value, what }: { value: string; what: string }) {
  const t = useTranslations('common')
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
        {t.rich(isCopied ? 'copiedWhat' : 'copy', { what, hidden: hide })}
      </button>
      <span className="hidden" role="status">
        {isCopied && t('copied')}
      </span>
    </span>
  )
}
