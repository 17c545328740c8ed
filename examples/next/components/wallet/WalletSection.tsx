'use client'

import type { Wallet, WalletToken } from 'kassa/schema'
import Link from 'next/link'
import { type RefObject, useEffect, useId, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Network } from '../../lib/networks'
import { describeToken } from '../../lib/wallet/describeToken'
import { useHoldings } from '../../lib/wallet/useHoldings'
import { Copyable } from '../checkout/Copyable'
import { Empty } from '../shop/Empty'
import { CredentialDialog } from './CredentialDialog'
import { NetworksAway } from './NetworksAway'
import { SendDialog } from './SendDialog'
import styles from './Wallet.module.css'
import { type TokenAction, WalletTokenCard } from './WalletTokenCard'

/** Another wallet of the same user. */
export type OtherWallet = { label: string; address: string }

/** Props of {@link WalletSection}. */
export type WalletSectionProps = {
  title: string
  about: string
  /** The message when the wallet is empty. */
  empty: string
  /** Undefined before the first purchase for it. */
  wallet: Wallet | undefined
  other: OtherWallet | undefined
  networks: readonly Network[]
  /** The issuer whose credentials this shop accepts. */
  issuer: `0x${string}` | undefined
  /** Announces a change of the page to screen readers. */
  say: (text: string) => void
}

/** Shows a wallet: its kind, its address and its tokens. */
export function WalletSection({ title, about, empty, wallet, ...rest }: WalletSectionProps) {
  const t = useTranslations('wallet')
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.top}>
        <h2 className="heading" id={id} ref={heading} tabIndex={-1}>
          {title}
        </h2>
        {wallet && (
          <div className={styles.address}>
            <Copyable value={wallet.address} what={t('addressOf', { title })} />
          </div>
        )}
        <p className={`${styles.about} soft`}>{about}</p>
      </div>
      {wallet ? (
        <Tokens empty={empty} wallet={wallet} heading={heading} {...rest} />
      ) : (
        <NothingYet text={empty} />
      )}
    </section>
  )
}

/** The open window and its token. */
type Opened = { kind: TokenAction; token: WalletToken }

type TokensProps = Omit<WalletSectionProps, 'title' | 'about' | 'wallet'> & {
  wallet: Wallet
  /** Takes the focus when the focused token is gone. */
  heading: RefObject<HTMLHeadingElement | null>
}

function Tokens({ wallet, empty, networks, issuer, other, say, heading }: TokensProps) {
  const t = useTranslations('wallet')
  const holdings = useHoldings(
    wallet.address,
    networks.map(({ name }) => name),
  )
  const [open, setOpen] = useState<Opened>()
  const { tokens, isPending, away, showMore, refetch } = holdings
  const [isGone, setGone] = useState(false)
  useEffect(() => {
    if (isGone) heading.current?.focus()
  }, [isGone, heading])
  const show = (next: Opened): void => {
    setGone(false)
    setOpen(next)
  }
  const labels = networks.filter(({ name }) => away.includes(name)).map(({ label }) => label)
  return (
    <>
      {labels.length > 0 && (
        <div className="alert" role="alert">
          <NetworksAway labels={labels} />
          <button className="button" type="button" onClick={refetch}>
            {t('tryAgain')}
          </button>
        </div>
      )}
      {tokens.length > 0 && (
        <ul className={styles.tokens}>
          {tokens.map((token) => (
            <li key={token.locator}>
              <WalletTokenCard token={token} onOpen={(kind) => show({ kind, token })} />
            </li>
          ))}
        </ul>
      )}
      {isPending && (
        <p className={styles.waiting} role="status">
          <span className="spinner" aria-hidden="true" />
          {t('asking')}
        </p>
      )}
      {!isPending && tokens.length === 0 && labels.length === 0 && <NothingYet text={empty} />}
      {showMore && (
        <button className={`button ${styles.more}`} type="button" onClick={showMore}>
          {t('showMore')}
        </button>
      )}
      {open?.kind === 'credential' && (
        <CredentialDialog
          token={open.token}
          networks={networks}
          issuer={issuer}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open?.kind === 'send' && (
        <SendDialog
          token={open.token}
          wallet={wallet}
          other={other}
          onClose={(isGone) => {
            setOpen(undefined)
            setGone(isGone)
            if (isGone) say(t('hasBeenSent', { name: describeToken(open.token, t).name }))
          }}
        />
      )}
    </>
  )
}

function NothingYet({ text }: { text: string }) {
  const t = useTranslations('wallet')
  return (
    <Empty>
      <h3 className="heading">{t('nothingYet')}</h3>
      <p className="soft">{text}</p>
      <Link className="button" href="/#editions">
        {t('seeEditions')}
      </Link>
    </Empty>
  )
}
