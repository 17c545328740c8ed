import { cleanup, render, screen } from '@testing-library/react'
import type { Credential } from 'kassa/schema'
import { afterEach, expect, test } from 'vitest'
import { CredentialReport } from '../../components/wallet/CredentialReport'
import type { CheckedCredential } from '../../lib/wallet/checkCredential'
import { InEnglish } from '../helpers/english'

afterEach(cleanup)

const address = `0x${'a1'.repeat(20)}` as const
const did = `did:pkh:eip155:84532:${address}`
const credential: Credential = {
  '@context': ['https://www.w3.org/2018/credentials/v1'],
  id: 'urn:uuid:1',
  type: ['VerifiableCredential'],
  issuer: { id: did },
  credentialSubject: { id: did },
  nft: { tokenId: '1', chain: 'base-sepolia', contractAddress: address },
  issuanceDate: '2026-02-01T00:00:00.000Z',
  proof: { type: 'x', created: 'x', proofPurpose: 'x', verificationMethod: 'x', proofValue: '0x' },
}
const show = (checked: CheckedCredential) => {
  render(<CredentialReport credential={credential} checked={checked} />, { wrapper: InEnglish })
  const [verdict] = screen.getAllByRole('status')
  return {
    verdict: verdict?.textContent,
    checks: screen.getAllByRole('listitem').map((item) => item.textContent),
  }
}

test('default', () => {
  const { verdict, checks } = show({ holder: address, isOwner: true })
  expect([verdict, checks.length, checks.join('')]).toEqual(['Valid', 3, expect.not.stringMatching(/[✕?]/)])
})

test.each([
  ['Not valid', { holder: address, isOwner: false }, '✕The network names another owner'],
  [
    'Valid as signed; the network could not be asked',
    { holder: address, isOwner: undefined },
    '?The network could',
  ],
  ['Not valid', { fault: 'other-issuer' }, '✕Its issuer is not known to this shop'],
  ['Not valid', { fault: 'not-signed' }, '✕The signature is not its issuer’s'],
  ['Not valid', { fault: 'expired' }, '✕Its time is over'],
  ['Not checked', { fault: 'issuer-unknown' }, '?This shop has not been told'],
] as const)('parameters: %s, %o', (verdict, checked, line) => {
  const shown = show(checked)
  expect(shown.verdict).toBe(verdict)
  expect(shown.checks.some((text) => text?.startsWith(line))).toBe(true)
})
