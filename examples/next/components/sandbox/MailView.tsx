import Link from 'next/link'
import type { SandboxMail } from '../../lib/mailbox'
import styles from './Mailbox.module.css'
import { SentTime } from './SentTime'

/** Shows one e-mail as its recipient sees it. */
export function MailView({ mail }: { mail: SandboxMail }) {
  const { id, to, sender, subject, text, html, locale, sentAt } = mail
  const facts = [
    ['From', sender],
    ['To', to],
    ['Language', locale],
  ] as const
  return (
    <article className={styles.mail} aria-labelledby="mail-subject">
      <Link className="back" href="/sandbox/mails">
        ← All e-mails
      </Link>
      <h2 id="mail-subject" className="heading" lang={locale}>
        {subject}
      </h2>
      <dl className={styles.facts}>
        {facts.map(([term, fact]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{fact}</dd>
          </div>
        ))}
        <div>
          <dt>Sent</dt>
          <dd>
            <SentTime at={sentAt} />
          </dd>
        </div>
      </dl>
      {/* Untrusted HTML: it runs no script, cannot reach this page, and opens links elsewhere. */}
      <iframe
        key={id}
        className={styles.page}
        title={`E-mail: ${subject}`}
        srcDoc={html}
        sandbox="allow-popups allow-popups-to-escape-sandbox"
        referrerPolicy="no-referrer"
      />
      <details className={styles.plain}>
        <summary>As plain text</summary>
        {/* Long lines wrap, so there is no horizontal scrolling. */}
        <pre lang={locale}>{text}</pre>
      </details>
    </article>
  )
}
