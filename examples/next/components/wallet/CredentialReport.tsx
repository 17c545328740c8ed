import type { Credential } from 'kassa/schema'
import { useTranslations } from 'use-intl'
import type { Translate } from '../../lib/language/createTranslate'
import type { CheckedCredential } from '../../lib/wallet/checkCredential'
import styles from './Dialog.module.css'
import { LongDate } from './LongDate'

/** Props of {@link CredentialReport}. */
export type CredentialReportProps = { credential: Credential; checked: CheckedCredential }

type Fault = NonNullable<CheckedCredential['fault']>

const verdicts = {
  yes: 'valid',
  no: 'notValid',
  unsure: 'unsure',
  unknown: 'notChecked',
} as const

const faults = {
  'issuer-unknown': 'issuerUnknown',
  malformed: 'malformed',
  'other-issuer': 'otherIssuer',
  'not-signed': 'notSigned',
  'too-early': 'tooEarly',
  expired: 'expired',
} as const satisfies Record<Fault, string>

const owners = {
  true: 'sameOwner',
  false: 'otherOwner',
  undefined: 'ownerUnknown',
} as const

/** One check and its result; undefined when the result is unknown. */
type Check = [isSo: boolean | undefined, text: string]

const listChecks = (checked: CheckedCredential, t: Translate<'credential'>): Check[] => {
  const { fault } = checked
  if (fault !== undefined) return [[fault === 'issuer-unknown' ? undefined : false, t(faults[fault])]]
  return [
    [true, t('signed')],
    [true, t('inTime')],
    [checked.isOwner, t(owners[`${checked.isOwner}`])],
  ]
}

const findVerdict = (checked: CheckedCredential): keyof typeof verdicts => {
  if (checked.fault === 'issuer-unknown') return 'unknown'
  if (checked.fault !== undefined || checked.isOwner === false) return 'no'
  return checked.isOwner ? 'yes' : 'unsure'
}

/** Shows whether a credential is valid, why, and what it states. */
export function CredentialReport({ credential, checked }: CredentialReportProps) {
  const t = useTranslations('credential')
  const { issuer, credentialSubject, issuanceDate, expirationDate } = credential
  const verdict = findVerdict(checked)
  const rows = [
    [t('issuedBy'), <Did key="issuer" did={issuer.id} />],
    [t('owner'), <Did key="owner" did={credentialSubject.id} />],
    [t('issued'), <LongDate key="issued" at={new Date(issuanceDate)} />],
    [t('until'), expirationDate ? <LongDate key="until" at={new Date(expirationDate)} /> : t('noEnd')],
  ] as const
  return (
    <>
      <p className={styles.verdict} data-valid={verdict === 'unknown' ? 'unsure' : verdict} role="status">
        {t(verdicts[verdict])}
      </p>
      <ul className={styles.checks}>
        {listChecks(checked, t).map(([isSo, text]) => (
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
  const address = /^did:pkh:(?:eip155:\d+:(0x[0-9a-fA-F]{40})|solana:\w+:(\w{32,44}))$/.exec(did)
  return <span className="code">{address?.[1] ?? address?.[2] ?? did}</span>
}
