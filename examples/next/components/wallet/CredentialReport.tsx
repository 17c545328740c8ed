import type { Credential } from 'kassa/schema'
import type { CheckedCredential } from '../../lib/wallet/checkCredential'
import styles from './Dialog.module.css'
import { LongDate } from './LongDate'

/** Props of {@link CredentialReport}. */
export type CredentialReportProps = { credential: Credential; checked: CheckedCredential }

type Fault = NonNullable<CheckedCredential['fault']>

const verdicts = {
  yes: 'Valid',
  no: 'Not valid',
  unsure: 'Valid as signed; the network could not be asked',
  unknown: 'Not checked',
} as const

const faults: Record<Fault, string> = {
  'issuer-unknown': 'This shop has not been told whose credentials to believe',
  malformed: 'It is no credential that can be read',
  'other-issuer': 'Its issuer is not known to this shop',
  'not-signed': 'The signature is not its issuer’s',
  'too-early': 'Its time has not come',
  expired: 'Its time is over',
}

const owners = {
  true: 'The network names the same owner',
  false: 'The network names another owner',
  undefined: 'The network could not be asked for the owner',
} as const

/** One check and its result; undefined when the result is unknown. */
type Check = [isSo: boolean | undefined, text: string]

const listChecks = (checked: CheckedCredential): Check[] => {
  const { fault } = checked
  if (fault !== undefined) return [[fault === 'issuer-unknown' ? undefined : false, faults[fault]]]
  return [
    [true, 'Signed by the issuer that this shop believes, word for word'],
    [true, 'Within its dates'],
    [checked.isOwner, owners[`${checked.isOwner}`]],
  ]
}

const findVerdict = (checked: CheckedCredential): keyof typeof verdicts => {
  if (checked.fault === 'issuer-unknown') return 'unknown'
  if (checked.fault !== undefined || checked.isOwner === false) return 'no'
  return checked.isOwner ? 'yes' : 'unsure'
}

/** Shows whether a credential is valid, why, and what it states. */
export function CredentialReport({ credential, checked }: CredentialReportProps) {
  const { issuer, credentialSubject, issuanceDate, expirationDate } = credential
  const verdict = findVerdict(checked)
  const rows = [
    ['Issued by', <Did key="issuer" did={issuer.id} />],
    ['Owner', <Did key="owner" did={credentialSubject.id} />],
    ['Issued', <LongDate key="issued" at={new Date(issuanceDate)} />],
    ['Counts until', expirationDate ? <LongDate key="until" at={new Date(expirationDate)} /> : 'Without end'],
  ] as const
  return (
    <>
      <p className={styles.verdict} data-valid={verdict === 'unknown' ? 'unsure' : verdict} role="status">
        {verdicts[verdict]}
      </p>
      <ul className={styles.checks}>
        {listChecks(checked).map(([isSo, text]) => (
          <li key={text}>
            <span aria-hidden="true">{isSo === undefined ? '?' : isSo ? '✓' : '✕'}</span>
            <span>{text}</span>
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

/** Shows the address at the end of a DID, because an address is what people can compare. */
function Did({ did }: { did: string }) {
  return <span className="code">{/^did:pkh:eip155:\d+:(0x[0-9a-fA-F]{40})$/.exec(did)?.[1] ?? did}</span>
}
