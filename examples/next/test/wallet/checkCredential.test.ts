import { getCredential } from 'kassa/api'
import type { Credential } from 'kassa/schema'
import { createTestService, createTestWalletClient } from 'kassa/testing'
import { type HashTypedDataParameters, hashTypedData } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, expect, test } from 'vitest'
import { checkCredential } from '../../lib/wallet/checkCredential'

const user = 'email:ada@example.com'
const stranger = privateKeyToAccount(generatePrivateKey())
const service = createTestService()
const { issuer } = service
const nowMs = service.now()
let credential: Credential
let holder: string
beforeAll(async () => {
  const { locator } = service.giveToken(user)
  holder = service.getWallet(`${user}:evm-mpc-wallet`).address
  credential = await getCredential(createTestWalletClient({ service, user }), { nftLocator: locator })
})

const check = (given: Credential, options: Partial<Parameters<typeof checkCredential>[1]> = {}) =>
  checkCredential(given, { issuer, nowMs, findOwner: async () => holder, ...options })

test('default', async () => {
  expect(await check(credential)).toEqual({ holder, isOwner: true })
})

test('error: a self-issued credential is not trusted', async () => {
  const { proof, ...claims } = credential
  const { proofValue: _, eip712, ...rest } = proof
  const did = `did:pkh:eip155:84532:${stranger.address}`
  const forged = { ...claims, issuer: { id: did } }
  const kept = { ...rest, verificationMethod: `${did}#blockchainAccountId` }
  const typed = { ...eip712, message: { ...forged, proof: kept } } as HashTypedDataParameters
  const proofValue = await stranger.sign({ hash: hashTypedData(typed) })
  const shown = { ...forged, proof: { ...kept, proofValue, eip712 } } as Credential
  // The credential is internally valid: a shop that trusts this issuer accepts it.
  expect(await check(shown, { issuer: stranger.address })).toEqual({ holder, isOwner: true })
  expect(await check(shown)).toEqual({ fault: 'other-issuer' })
})

test('error: no credential is trusted without a configured issuer', async () => {
  expect(await check(credential, { issuer: undefined })).toEqual({ fault: 'issuer-unknown' })
})

test('error: altered or expired', async () => {
  expect(await check({ ...credential, note: 'gold member' })).toEqual({ fault: 'not-signed' })
  expect(await check(credential, { nowMs: nowMs + 366 * 86_400_000 })).toEqual({ fault: 'expired' })
})

test('error: the token has a new owner', async () => {
  expect(await check(credential, { findOwner: async () => stranger.address })).toEqual({
    holder,
    isOwner: false,
  })
})

test('behavior: when the chain does not answer, the owner stays unknown', async () => {
  expect(await check(credential, { findOwner: async () => undefined })).toEqual({
    holder,
    isOwner: undefined,
  })
})
