'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { createPasskey, isKassaError, useCreateWallet } from 'kassa/wallet'
import { useId } from 'react'
import { useTranslations } from 'use-intl'
import { explainWallet } from '../../lib/wallet/explainWallet'
import { Empty } from '../shop/Empty'
import styles from './Wallet.module.css'

/** Props of {@link CreatePasskeyWallet}. */
export type CreatePasskeyWalletProps = {
  email: string
  /** Called when a wallet already existed, which the new passkey does not open. */
  onOther: () => void
}

/** Offers to create a wallet that a passkey of this device opens. */
export function CreatePasskeyWallet({ email, onOther }: CreatePasskeyWalletProps) {
  const t = useTranslations('wallet')
  const onSend = useTranslations('send')
  const id = useId()
  const queryClient = useQueryClient()
  const wallet = useCreateWallet()
  const create = useMutation({
    mutationFn: async () => {
      // A retry uses the passkey from the first attempt instead of creating another.
      const adminSigner = await queryClient.fetchQuery({
        queryKey: ['passkey', email],
        queryFn: () => createPasskey({ name: t('passkeyName', { email }) }),
        networkMode: 'always',
        staleTime: Infinity,
        gcTime: Infinity,
      })
      const { config } = await wallet.mutateAsync({ type: 'evm-smart-wallet', config: { adminSigner } })
      if (config?.adminSigner?.id !== adminSigner.id) onOther()
    },
  })
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.top}>
        <h2 className="heading" id={id}>
          {t('passkeyTitle')}
        </h2>
        <p className={`${styles.about} soft`}>{t('passkeyOffer')}</p>
      </div>
      <Empty>
        <button
          className="button"
          type="button"
          aria-disabled={create.isPending}
          onClick={() => !create.isPending && create.mutate()}
        >
          {create.isPending && <span className="spinner" aria-hidden="true" />}
          {create.isPending ? t('passkeyCreating') : t('passkeyCreate')}
        </button>
        {create.error && (
          <p className="alert" role="alert">
            {isKassaError(create.error) && create.error.code.startsWith('api.') && create.error.retryable
              ? t('passkeyAway')
              : explainWallet(create.error, onSend)}
          </p>
        )}
      </Empty>
    </section>
  )
}
