'use client'

import { useQuery } from '@tanstack/react-query'
import { isKassaError } from 'kassa/api'
import type { Credential, WalletToken } from 'kassa/schema'
import { useCredential } from 'kassa/wallet'
import { useTranslations } from 'use-intl'
import type { Network } from '../../lib/networks'
import { type CheckedCredential, checkCredential } from '../../lib/wallet/checkCredential'
import { findOwner } from '../../lib/wallet/findOwner'
import { CredentialReport } from './CredentialReport'
import { Dialog } from './Dialog'
import styles from './Dialog.module.css'
import { TokenSubject } from './TokenSubject'

/** Props of {@link CredentialDialog}. */
export type CredentialDialogProps = {
  token: WalletToken
  networks: readonly Network[]
  /** The issuer whose credentials this shop accepts. */
  issuer: `0x${string}` | undefined
  onClose: () => void
}

// The token may have another owner the next time the window opens.
const once = { gcTime: 0, staleTime: 0, retry: 1, refetchOnWindowFocus: false } as const

/** Shows a token's credential: its issuer, the owner it names, its expiry, and whether it is valid. */
export function CredentialDialog({ token, networks, issuer, onClose }: CredentialDialogProps) {
  const t = useTranslations('credential')
  const credential = useCredential({ nftLocator: token.locator, query: once })
  const checked = useQuery<CheckedCredential>({
    queryKey: ['checked', credential.data?.id, issuer],
    queryFn: () => {
      if (!credential.data) throw new Error('there is no credential to check')
      // Without the chain's answer the signature is still checked, and the report says that the owner is not known.
      const find = (nft: Credential['nft']) => findOwner(networks, nft).catch(() => undefined)
      return checkCredential(credential.data, { issuer, nowMs: Date.now(), findOwner: find })
    },
    enabled: credential.data !== undefined,
    // Verifying a signature needs no network.
    networkMode: 'always',
    gcTime: 0,
    retry: false,
  })
  const error = credential.isFetching ? null : (credential.error ?? checked.error)
  return (
    <Dialog title={t('title')} onClose={onClose}>
      <TokenSubject token={token} />
      {credential.data && checked.data && (
        <CredentialReport credential={credential.data} checked={checked.data} />
      )}
      {!checked.data && !error && (
        <p className={styles.verdict} role="status">
          <span className="spinner" aria-hidden="true" />
          {t('getting')}
        </p>
      )}
      {!checked.data && error && (
        <div className="alert" role="alert">
          <p>{isKassaError(error, 'api.not-found') ? t('none') : t('away')}</p>
          <button className="button" type="button" onClick={() => void credential.refetch()}>
            {t('tryAgain')}
          </button>
        </div>
      )}
      <div className={styles.actions}>
        {credential.data && checked.data && <Download credential={credential.data} name={token.locator} />}
        <button className="button" type="button" onClick={onClose}>
          {t('close')}
        </button>
      </div>
    </Dialog>
  )
}

function Download({ credential, name }: { credential: Credential; name: string }) {
  const t = useTranslations('credential')
  const download = (): void => {
    const text = JSON.stringify(credential, null, 2)
    const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
    const link = document.createElement('a')
    link.href = url
    link.download = `credential-${name.replace(/\W+/g, '-')}.json`
    link.click()
    URL.revokeObjectURL(url)
  }
  return (
    <button className="button" type="button" onClick={download}>
      {t('download')}
    </button>
  )
}
