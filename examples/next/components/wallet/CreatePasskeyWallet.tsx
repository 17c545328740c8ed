'use client'

import { useMutation } from '@tanstack/react-query'
import { createPasskey, useCreateWallet } from 'kassa/wallet'
import { useId } from 'react'
import { explainWallet } from '../../lib/wallet/explainWallet'
import styles from './Wallet.module.css'

/** Offers a wallet that a passkey of this device opens. */
export function CreatePasskeyWallet({ email }: { email: string }) {
  const id = useId()
  const wallet = useCreateWallet()
  const create = useMutation({
    mutationFn: async () => {
      const adminSigner = await createPasskey({ name: `Recto wallet of ${email}` })
      return wallet.mutateAsync({ type: 'evm-smart-wallet', config: { adminSigner } })
    },
  })
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.top}>
        <h2 className="heading" id={id}>
          With your passkey
        </h2>
        <p className={`${styles.about} soft`}>
          A wallet of your own, opened by your fingerprint, your face or your device’s PIN. Nobody else moves
          what is in it: not this shop, and not its service. Without the passkey nobody does, so keep it where
          it is backed up.
        </p>
      </div>
      <div className={styles.empty}>
        <button
          className="button"
          type="button"
          aria-disabled={create.isPending}
          onClick={() => !create.isPending && create.mutate()}
        >
          {create.isPending && <span className="spinner" aria-hidden="true" />}
          {create.isPending ? 'Creating your wallet…' : 'Create a wallet with a passkey'}
        </button>
        {create.error && (
          <p className="alert" role="alert">
            {explainWallet(create.error)}
          </p>
        )}
      </div>
    </section>
  )
}
