'use client'

import { useQuery } from '@tanstack/react-query'
import type { WalletToken } from 'kassa/schema'
import { type CredentialReport, getCheckedCredential } from '../../lib/wallet/getCheckedCredential'
import { readDid } from '../../lib/wallet/verifyCredential'
import { Dialog } from './Dialog'
import styles from './Dialog.module.css'
import { LongDate } from './LongDate'
import { TokenSubject } from './TokenSubject'

/** Shows the credential of a token: who says that who owns it, until when, and whether that holds. */
export function CredentialDialog({ token, onClose }: { token: WalletToken; onClose: () => void }) {
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: ['credential', token.locator],
    queryFn: ({ signal }) => getCheckedCredential(token.locator, signal),
    gcTime: 0,
    retry: 1,
  })
  return (
    <Dialog title="Credential" onClose={onClose}>
      <TokenSubject token={token} />
      {data && <Report report={data} />}
      {!data && isFetching && (
        <p className={styles.verdict} role="status">
          <span className="spinner" aria-hidden="true" />
          Getting the credential and checking it…
        </p>
      )}
      {!data && isError && !isFetching && (
        <div className="alert" role="alert">
          <p>The credential could not be had: the service or the network does not answer.</p>
          <button className="button" type="button" onClick={() => void refetch()}>
            Try again
          </button>
        </div>
      )}
      <div className={styles.actions}>
        {data && <Download report={data} name={token.locator} />}
        <button className="button" type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  )
}

const verdicts = {
  yes: 'Valid',
  no: 'Not valid',
  unsure: 'Valid as signed; the network could not be asked',
} as const

function Report({ report: { credential, checked } }: { report: CredentialReport }) {
  const { isSigned, isRunning, isOwner } = checked
  const verdict = !isSigned || !isRunning || isOwner === false ? 'no' : isOwner ? 'yes' : 'unsure'
  const checks = [
    [isSigned, 'Signed by its issuer, word for word', 'The signature is not its issuer’s'],
    [isRunning, 'Within its dates', 'Its time is over, or has not come'],
    [isOwner, 'The network names the same owner', 'The network names another owner'],
  ] as const
  const { issuer, credentialSubject, issuanceDate, expirationDate } = credential
  const rows = [
    ['Issued by', <Did key="issuer" did={issuer.id} />],
    ['Owner', <Did key="owner" did={credentialSubject.id} />],
    ['Issued', <LongDate key="issued" at={new Date(issuanceDate)} />],
    ['Counts until', expirationDate ? <LongDate key="until" at={new Date(expirationDate)} /> : 'Without end'],
  ] as const
  return (
    <>
      <p className={styles.verdict} data-valid={verdict} role="status">
        {verdicts[verdict]}
      </p>
      <ul className={styles.checks}>
        {checks.map(([isSo, yes, no]) => (
          <li key={yes}>
            <span aria-hidden="true">{isSo === undefined ? '?' : isSo ? '✓' : '✕'}</span>
            <span>
              {isSo === undefined ? 'The network could not be asked for the owner' : isSo ? yes : no}
            </span>
          </li>
        ))}
      </ul>
      <dl className={styles.rows}>
        {rows.map(([term, fact]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{fact}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

function Did({ did }: { did: string }) {
  return <span className="code">{readDid(did) ?? did}</span>
}

function Download({ report, name }: { report: CredentialReport; name: string }) {
  const download = (): void => {
    const text = JSON.stringify(report.credential, null, 2)
    const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
    const link = document.createElement('a')
    link.href = url
    link.download = `credential-${name.replace(/\W+/g, '-')}.json`
    link.click()
    URL.revokeObjectURL(url)
  }
  return (
    <button className="button" type="button" onClick={download}>
      Download as JSON
    </button>
  )
}
