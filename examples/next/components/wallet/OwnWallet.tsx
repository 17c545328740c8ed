'use client'

import { useQueries } from '@tanstack/react-query'
import type { WalletToken } from 'kassa/schema'
import { useId } from 'react'
import { useTranslations } from 'use-intl'
import { useCheckoutShop } from '../../lib/checkoutShop'
import type { ChainFamily, Network } from '../../lib/networks'
import { useFamilyWallets, type Wallets } from '../../lib/useWallets'
import { describeToken } from '../../lib/wallet/describeToken'
import { Address } from '../checkout/Address'
import { WalletList } from '../checkout/WalletList'
import { NetworksAway } from './NetworksAway'
import { TokenImage } from './TokenImage'
import styles from './Wallet.module.css'

const everyMs = 30_000

const fetchHoldings = async (chain: string, address: string): Promise<WalletToken[]> => {
  const response = await fetch(`/api/holdings?${new URLSearchParams({ chain, address })}`)
  if (!response.ok) throw new Error(`The shop answered ${response.status}.`)
  return response.json()
}

/** Shows what the wallet in this browser holds of the shop's editions. It needs no account with the shop. */
export function OwnWallet() {
  const t = useTranslations('wallet')
  const id = useId()
  const { networks } = useCheckoutShop()
  const wallets = { evm: useFamilyWallets('evm'), solana: useFamilyWallets('solana') }
  const families = (['evm', 'solana'] as const).filter((family) =>
    networks.some((network) => network.family === family),
  )
  const connected = families.filter((family) => wallets[family].status === 'connected')
  const accounts = networks.flatMap((network) => {
    const { status, address } = wallets[network.family]
    return status === 'connected' && address ? [{ network, address }] : []
  })
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.top}>
        <h2 className="heading" id={id}>
          {t('browserTitle')}
        </h2>
        <p className={`${styles.about} soft`}>
          {connected.length > 0 ? t('browserConnected') : t('browserConnect')}
        </p>
      </div>
      {families.map((family) => (
        <Connection key={family} family={family} wallets={wallets[family]} isOpen={connected.length === 0} />
      ))}
      {connected.length > 0 && <Held accounts={accounts} />}
    </section>
  )
}

const titles = { evm: 'ethereumWallets', solana: 'solanaWallets' } as const

function Connection(props: { family: ChainFamily; wallets: Wallets; isOpen: boolean }) {
  const { family, wallets, isOpen } = props
  const t = useTranslations('wallet')
  const named = useTranslations('wallets')
  const { status, name, address } = wallets
  if (status === 'connected' && address) {
    return (
      <p className={styles.connected}>
        <strong>{wallets.isDemo ? named('demo') : name}</strong> <Address value={address} />
        <button className="link" type="button" onClick={wallets.disconnect}>
          {t('disconnect')}
        </button>
      </p>
    )
  }
  return (
    <details className={styles.choices} open={isOpen && family === 'evm'}>
      <summary>{t(titles[family])}</summary>
      <WalletList wallets={wallets} family={family} />
    </details>
  )
}

function Held({ accounts }: { accounts: readonly { network: Network; address: string }[] }) {
  const t = useTranslations('wallet')
  const { tokens, isPending, away, refetch } = useQueries({
    queries: accounts.map(({ network: { name }, address }) => ({
      queryKey: ['held', name, address],
      queryFn: () => fetchHoldings(name, address),
      refetchInterval: everyMs,
    })),
    combine: (results) => ({
      tokens: results.flatMap(({ data }) => data ?? []),
      isPending: results.some((result) => result.isPending),
      away: accounts.filter((_, index) => results[index]?.isError).map(({ network }) => network.label),
      refetch: () => {
        for (const result of results) void result.refetch()
      },
    }),
  })
  return (
    <>
      {away.length > 0 && (
        <div className="alert" role="alert">
          <NetworksAway labels={away} />
          <button className="button" type="button" onClick={refetch}>
            {t('tryAgain')}
          </button>
        </div>
      )}
      {tokens.length > 0 && (
        <ul className={styles.tokens}>
          {tokens.map((token) => (
            <li key={token.locator}>
              <HeldToken token={token} />
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
      {!isPending && tokens.length === 0 && away.length === 0 && <p className="soft">{t('holdsNothing')}</p>}
    </>
  )
}

function HeldToken({ token }: { token: WalletToken }) {
  const id = useId()
  const common = useTranslations('common')
  const { name, number, image, chainLabel } = describeToken(token, useTranslations('wallet'))
  return (
    <article className={styles.token} aria-labelledby={id}>
      <div className={styles.wall}>
        <TokenImage url={image} name={name} />
      </div>
      <h3 className={styles.name} id={id}>
        {name}
        {number && <span className={styles.number}> {common('number', { number })}</span>}
      </h3>
      <div className={styles.facts}>
        <p>{chainLabel}</p>
      </div>
    </article>
  )
}
