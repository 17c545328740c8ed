import type { AdminSigner, UnknownMember } from 'kassa/schema'
import { expect, test } from 'vitest'
import { describeSigner } from '../../lib/wallet/describeSigner'
import { translate } from '../helpers/english'

const t = translate('wallet')

const owner = `0x${'a1'.repeat(20)}`

test('default: a passkey', () => {
  const { about, isPasskey } = describeSigner(
    { config: { adminSigner: { type: 'evm-passkey', id: 'a' } } },
    t,
  )
  expect([about, isPasskey]).toEqual([expect.stringMatching(/^Only your passkey/), true])
})

test.each<[string, AdminSigner | undefined, string]>([
  ['an account', { type: 'evm-keypair', address: owner }, owner],
  ['the service', { type: 'evm-kassa-custodial', address: owner }, 'The shop’s service keeps the key'],
  [
    'who is not known here',
    { type: 'evm-other-custodial' as UnknownMember },
    'A signer this shop does not know',
  ],
  ['no signer', undefined, 'A signer this shop does not know'],
])('behavior: of %s it is not said that the owner alone signs', (_, adminSigner, words) => {
  const { title, about, isPasskey } = describeSigner({ config: adminSigner && { adminSigner } }, t)
  expect(about).toContain(words)
  expect(`${title} ${about}`).not.toMatch(/passkey/)
  expect(isPasskey).toBe(false)
})
