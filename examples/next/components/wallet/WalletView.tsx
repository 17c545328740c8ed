'use client'

import { useQueryClient } from '@tanstack/react-query'
import { isKassaError } from 'kassa/api'
import { forgetTransactions, useWallet } from 'kassa/wallet'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { isEvm, isSolana, type Network } from '../../lib/networks'
import { describeSigner } from '../../lib/wallet/describeSigner'
import { CreatePasskeyWallet } from './CreatePasskeyWallet'
import styles from './Wallet.module.css'
import { WalletAway } from './WalletAway'
import { WalletSection, type WalletSectionProps } from './WalletSection'

/** Props of {@link WalletView}. */
export type WalletViewProps = {
  email: string
  networks: readonly Network[]
  /** The issuer whose credentials this shop accepts. */
  issuer: `0x${string}` | undefined
  signOut: () => Promise<void>
}

/** Shows the wallets of the signed-in user. */
export function WalletView({ email, networks, issuer, signOut }: WalletViewProps) {
  const t = useTranslations('wallet')
  // The first purchase creates this wallet.
  const kept = useWallet({
    walletLocator: 'me:evm-mpc-wallet',
    query: { refetchInterval: ({ state }) => !state.data && 15_000 },
  })
  const own = useWallet({ walletLocator: 'me:evm-smart-wallet' })
  const queryClient = useQueryClient()
  const [said, setSaid] = useState('')
  const isNone = (error: unknown): boolean => isKassaError(error, 'api.not-found')
  const isKeptKnown = kept.data !== undefined || isNone(kept.error)
  const isOwnKnown = own.data !== undefined || isNone(own.error)
  const fault = [kept.error, own.error].find((error) => error && !isNone(error))
  const common = { networks: networks.filter(isEvm), issuer, say: setSaid }
  const [isOther, setOther] = useState(false)
  const signer = own.data && describeSigner(own.data, t)
  const onSolana = networks.filter(isSolana)
  // The next user of this tab must not see what this one bought and sent.
  const forget = (): void => {
    forgetTransactions(queryClient)
    queryClient.clear()
  }
  return (
    <div className={styles.box}>
      <div className={styles.head}>
        <h1 className="title">{t('title')}</h1>
        <form className={styles.who} action={signOut} onSubmit={forget}>
          <span>{email}</span>
          <button className="link" type="submit">
            {t('signOut')}
          </button>
        </form>
        <p className="hidden" role="status">
          {said}
        </p>
      </div>
      {fault && (!isKeptKnown || !isOwnKnown) ? (
        <WalletAway
          error={fault}
          retry={() => {
            void kept.refetch()
            void own.refetch()
          }}
        />
      ) : isKeptKnown && isOwnKnown ? (
        <>
          <WalletSection
            {...common}
            title={t('keptTitle')}
            about={t('keptAbout')}
            empty={t('keptEmpty', { email })}
            wallet={kept.data}
            other={
              own.data && signer?.isPasskey
                ? { label: t('passkeyOther'), address: own.data.address }
                : undefined
            }
          />
          {onSolana.length > 0 && <OnSolana networks={onSolana} issuer={issuer} say={setSaid} />}
          {isOther && (
            <p className="alert" role="alert">
              {t('passkeyExists')}
            </p>
          )}
          {own.data && signer ? (
            <WalletSection
              {...common}
              title={signer.title}
              about={signer.about}
              empty={t('ownEmpty')}
              wallet={own.data}
              other={kept.data && { label: t('keptOther'), address: kept.data.address }}
            />
          ) : (
            <CreatePasskeyWallet email={email} onOther={() => setOther(true)} />
          )}
        </>
      ) : (
        <p className={styles.waiting} role="status">
          <span className="spinner" aria-hidden="true" />
          {t('opening')}
        </p>
      )}
    </div>
  )
}

/** Shows the wallet that the first purchase on Solana creates. */
function OnSolana(props: Pick<WalletSectionProps, 'networks' | 'issuer' | 'say'>) {
  const t = useTranslations('wallet')
  const { data } = useWallet({
    walletLocator: 'me:solana-mpc-wallet',
    query: { refetchInterval: ({ state }) => !state.data && 15_000 },
  })
  if (!data) return null
  return (
    <WalletSection
      {...props}
      title={t('solanaTitle')}
      about={t('solanaAbout')}
      empty={t('solanaEmpty')}
      wallet={data}
      other={undefined}
    />
  )
}
