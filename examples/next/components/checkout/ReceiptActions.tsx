'use client'

import type { Order } from 'kassa'
import Link from 'next/link'
import { useActionState, useId, useState } from 'react'
import { useTranslations } from 'use-intl'
import { mailReceipt } from '../../app/checkout/[orderId]/actions'
import { useCheckoutShop } from '../../lib/checkoutShop'
import { getPublicPath } from '../../lib/editionPath'
import styles from './ReceiptActions.module.css'

/** Prints, mails and shares a receipt. */
export function ReceiptActions({ order }: { order: Order }) {
  const t = useTranslations('receipt')
  return (
    <section className={styles.actions} aria-label={t('keep')}>
      <MailForm orderId={order.orderId} />
      <div className={styles.row}>
        <button className="button" type="button" onClick={() => window.print()}>
          {t('print')}
        </button>
        <ShareButton order={order} />
      </div>
    </section>
  )
}

function MailForm({ orderId }: { orderId: string }) {
  const t = useTranslations('receipt')
  const common = useTranslations('common')
  const { sandboxUrl } = useCheckoutShop()
  const [state, submit, isPending] = useActionState(mailReceipt, {})
  const id = useId()
  // Outside a sandbox this example has no mail provider.
  if (!sandboxUrl) return null
  if (state.sentTo && !isPending) {
    return (
      <p className={styles.sent} role="status">
        {t.rich('mailSent', { email: state.sentTo, strong: (words) => <strong>{words}</strong> })}{' '}
        <Link href="/sandbox/mails">{common('openMailbox')}</Link>
      </p>
    )
  }
  return (
    <form action={submit} onSubmit={(event) => isPending && event.preventDefault()}>
      <input type="hidden" name="orderId" value={orderId} />
      <label htmlFor={id}>{t('mail')}</label>
      <div className={styles.inline}>
        <input
          className="field"
          id={id}
          name="email"
          type="email"
          autoComplete="email"
          placeholder="ada@example.com"
          required
          maxLength={254}
          aria-describedby={state.message ? `${id}-fault` : undefined}
        />
        <button className="button" type="submit" aria-disabled={isPending}>
          {isPending && <span className="spinner" aria-hidden="true" />}
          {t('send')}
        </button>
      </div>
      {state.message && !isPending && (
        <p className="alert" role="alert" id={`${id}-fault`}>
          {state.message}
        </p>
      )}
    </form>
  )
}

/** Shares the edition's own page, or the shop's if there are several. The order's page is for its buyer only. */
function ShareButton({ order }: { order: Order }) {
  const t = useTranslations('receipt')
  const [isCopied, setCopied] = useState(false)
  const share = async (): Promise<void> => {
    const url = new URL(getPublicPath(order), window.location.href).href
    const title = order.lineItems[0]?.metadata?.name ?? 'Recto'
    try {
      if (typeof navigator.share === 'function') {
        await navigator.share({ title, url })
        return
      }
      await navigator.clipboard.writeText(url)
      setCopied(true)
      setTimeout(() => setCopied(false), 2_000)
    } catch {
      // The buyer closed the dialog, or the browser does not allow it.
    }
  }
  return (
    <>
      <button className="button" type="button" onClick={() => void share()}>
        {isCopied ? t('linkCopied') : t('share')}
      </button>
      <span className="hidden" role="status">
        {isCopied && t('linkCopied')}
      </span>
    </>
  )
}
