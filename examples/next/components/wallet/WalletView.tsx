'use client'

import { useQueryClient } from '@tanstack/react-query'
import { isKassaError } from 'kassa/api'
import { forgetTransactions, useWallet } from 'kassa/wallet'
import { useState } from 'react'
import type { Network } from '../../lib/networks'
import { describeSigner } from '../../lib/wallet/describeSigner'
import { CreatePasskeyWallet } from './CreatePasskeyWallet'
import styles from './Wallet.module.css'
import { WalletAway } from './WalletAway'
import { WalletSection } from './WalletSection'

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
  const common = { networks, issuer, say: setSaid }
  const [isOther, setOther] = useState(false)
  const signer = own.data && describeSigner(own.data)
  // The next user of this tab must not see what this one bought and sent.
  const forget = (): void => {
    forgetTransactions(queryClient)
    queryClient.clear()
  }
  return (
    <div className={styles.box}>
      <div className={styles.head}>
        <h1 className="title">Your wallet</h1>
        <form className={styles.who} action={signOut} onSubmit={forget}>
          <span>{email}</span>
          <button className="link" type="submit">
            Sign out
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
            title="Kept for you"
            about="Whatever is bought for your e-mail address comes here. The shop’s service keeps the key; it signs what you ask for while you are signed in."
            empty={`Buy an edition and have it delivered to ${email}: it appears here by itself.`}
            wallet={kept.data}
            other={
              own.data && signer?.isPasskey
                ? { label: 'My passkey wallet', address: own.data.address }
                : undefined
            }
          />
          {isOther && (
            <p className="alert" role="alert">
              You have such a wallet already: it was made before, or meanwhile on another device. The passkey
              that you have just made does not open it, so delete that one.
            </p>
          )}
          {own.data && signer ? (
            <WalletSection
              {...common}
              title={signer.title}
              about={signer.about}
              empty="Send something here from the wallet above, or have it delivered to the address of this one."
              wallet={own.data}
              other={kept.data && { label: 'The wallet kept for me', address: kept.data.address }}
            />
          ) : (
            <CreatePasskeyWallet email={email} onOther={() => setOther(true)} />
          )}
        </>
      ) : (
        <p className={styles.waiting} role="status">
          <span className="spinner" aria-hidden="true" />
          Opening your wallet…
        </p>
      )}
    </div>
  )
}
