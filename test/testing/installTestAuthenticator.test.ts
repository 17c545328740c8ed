// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest'
import { approveTransaction, createTransaction, createWallet } from '../../src/api/index.js'
import {
  createTestService,
  createTestWalletClient,
  installTestAuthenticator,
  type TestAuthenticator,
} from '../../src/testing/index.js'
import { signWithCredential } from '../../src/wallet/evm/webAuthn.js'
import { createPasskey, hasPasskeys } from '../../src/wallet/index.js'

let authenticator: TestAuthenticator
afterEach(() => authenticator.remove())

const params = {
  chain: 'base-sepolia',
  calls: [{ to: '0x00000000000000000000000000000000000000f1', value: '0', data: '0x' }],
} as const

test('default: a passkey is made, and what it signs is taken, in a document that has neither passkeys nor a network', async () => {
  expect('document' in globalThis).toBe(true)
  authenticator = installTestAuthenticator()
  expect(hasPasskeys()).toBe(true)
  const [adminSigner, other] = [await createPasskey({ name: 'ada' }), await createPasskey({ name: 'eve' })]
  expect(authenticator.ids).toEqual([adminSigner.id, other.id])
  const service = createTestService()
  const client = createTestWalletClient({ service, user: 'userId:42' })
  await createWallet(client, { body: { type: 'evm-smart-wallet', config: { adminSigner } } })
  const walletLocator = 'me:evm-smart-wallet'
  const { id, approvals } = await createTransaction(client, { walletLocator, body: { params } })
  const { signer = '', message = '' } = approvals?.pending?.[0] ?? {}
  const approve = async (passkey: string) => {
    const approval = await signWithCredential(passkey, message as `0x${string}`, undefined)
    const body = { approvals: [{ signer, ...approval }] }
    return approveTransaction(client, { walletLocator, transactionId: id, body })
  }
  await expect(approve(other.id)).rejects.toThrow('not the signature of this passkey')
  expect((await approve(adminSigner.id)).status).toBe('pending')
})

test('behavior: its owner declines when told to, once', async () => {
  authenticator = installTestAuthenticator()
  authenticator.rejectNext()
  await expect(createPasskey({ name: 'ada' })).rejects.toMatchObject({ code: 'passkey.rejected' })
  expect((await createPasskey({ name: 'ada' })).name).toBe('ada')
})

test('behavior: it leaves the browser as it was', () => {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'PublicKeyCredential')
  authenticator = installTestAuthenticator()
  authenticator.remove()
  expect(Object.getOwnPropertyDescriptor(globalThis, 'PublicKeyCredential')).toEqual(before)
  expect(hasPasskeys()).toBe(before !== undefined)
})
