import Link from 'next/link'
import type { SandboxMail } from '../../lib/mailbox'
import { Empty } from '../shop/Empty'
import { ListPage } from '../shop/ListPage'
import styles from './Mailbox.module.css'
import { MailView } from './MailView'
import { SentTime } from './SentTime'

/** Props of {@link Mailbox}. */
export type MailboxProps = {
  mails: readonly SandboxMail[]
  /** The e-mail to show; undefined when there are none. */
  open: SandboxMail | undefined
  /** Whether the visitor chose it. On narrow screens a chosen e-mail replaces the list. */
  isChosen: boolean
}

/** Shows the sandbox's e-mails and the open one. */
export function Mailbox({ mails, open, isChosen }: MailboxProps) {
  return (
    <ListPage title="Mailbox" count={mails.length === 1 ? '1 e-mail' : `${mails.length} e-mails`}>
      {open ? (
        <div className={styles.layout} data-chosen={isChosen || undefined}>
          <nav className={styles.list} aria-label="E-mails">
            <ul>
              {mails.map((mail) => (
                <li key={mail.id}>
                  <Link
                    className={styles.item}
                    href={`/sandbox/mails/${mail.id}`}
                    aria-current={mail.id === open.id ? 'page' : undefined}
                  >
                    <span className={styles.subject} lang={mail.locale}>
                      {mail.subject}
                    </span>
                    <span className={styles.to}>{mail.to}</span>
                    <SentTime at={mail.sentAt} />
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
          <MailView mail={open} />
        </div>
      ) : (
        <Empty>
          <p className="heading">No e-mail yet</p>
          <p className="soft">
            When a token is bought for an e-mail address, or minted to one, the e-mail about it appears here
            automatically.
          </p>
          <Link className="button" href="/#editions">
            See the editions
          </Link>
        </Empty>
      )}
    </ListPage>
  )
}
