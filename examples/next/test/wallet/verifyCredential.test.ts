import type { Credential } from 'kassa/schema'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { verifyCredential } from '../../lib/wallet/verifyCredential'

const issuer = privateKeyToAccount(generatePrivateKey())
const owner = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const nowMs = Date.parse('2026-03-01T00:00:00.000Z')
const domain = { name: 'Credential', version: '1' }
const text = (name: string) => ({ name, type: 'string' })
const types = {
  Credential: [
    { name: '@context', type: 'string[]' },
    ...['id', 'issuanceDate', 'expirationDate'].map(text),
    { name: 'type', type: 'string[]' },
    { name: 'issuer', type: 'Issuer' },
    { name: 'credentialSubject', type: 'Subject' },
    { name: 'nft', type: 'Nft' },
    { name: 'proof', type: 'Proof' },
  ],
  Proof: ['type', 'created', 'proofPurpose', 'verificationMethod'].map(text),
  Issuer: [text('id')],
  Subject: [text('id')],
  Nft: ['tokenId', 'chain', 'contractAddress'].map(text),
}
const claims = {
  '@context': ['https://www.w3.org/2018/credentials/v1'],
  id: 'urn:uuid:1',
  type: ['VerifiableCredential'],
  issuer: { id: `did:pkh:eip155:84532:${issuer.address}` },
  credentialSubject: { id: `did:pkh:eip155:84532:${owner}` },
  nft: { tokenId: '1', chain: 'base-sepolia', contractAddress: owner },
  issuanceDate: '2026-02-01T00:00:00.000Z',
  expirationDate: '2026-04-01T00:00:00.000Z',
}
const proof = {
  type: 'EthereumEip712Signature2021',
  created: claims.issuanceDate,
  proofPurpose: 'assertionMethod',
  verificationMethod: `${claims.issuer.id}#blockchainAccountId`,
}
const primaryType = 'Credential'
const sign = async (signer = issuer, signed = types): Promise<Credential> => {
  const message = { ...claims, proof }
  const proofValue = await signer.signTypedData({ domain, types: signed, primaryType, message })
  return { ...claims, proof: { ...proof, proofValue, eip712: { domain, types: signed, primaryType } } }
}
const verify = (credential: Credential, found: string | undefined = owner, atMs = nowMs) =>
  verifyCredential(credential, { nowMs: atMs, findOwner: async () => found })

test('default', async () => {
  expect(await verify(await sign())).toEqual({ isSigned: true, isRunning: true, isOwner: true })
})

test.each([
  ['another owner', { credentialSubject: { id: `did:pkh:eip155:84532:${issuer.address}` } }],
  ['another token', { nft: { ...claims.nft, tokenId: '2' } }],
  ['a field that nobody signed', { note: 'gold member' }],
  ['a longer time', { expirationDate: '2036-04-01T00:00:00.000Z' }],
  ['another issuer', { issuer: { id: `did:pkh:eip155:84532:${owner}` } }],
  ['an issuer that is no key', { issuer: { id: 'did:web:example.com' } }],
] as const)('error: altered: %s', async (_, change) => {
  expect((await verify({ ...(await sign()), ...change })).isSigned).toBe(false)
})

test('error: signed by somebody else', async () => {
  const stranger = privateKeyToAccount(generatePrivateKey())
  expect((await verify(await sign(stranger))).isSigned).toBe(false)
})

test('error: types that leave a field out', async () => {
  const [, ...rest] = types.Nft
  expect((await verify(await sign(issuer, { ...types, Nft: rest }))).isSigned).toBe(false)
})

test.each([
  ['too late', '2026-04-01T00:00:00.000Z'],
  ['too early', '2026-01-31T00:00:00.000Z'],
])('error: %s', async (_, at) => {
  expect((await verify(await sign(), owner, Date.parse(at))).isRunning).toBe(false)
})

test('error: the token has another owner now', async () => {
  expect((await verify(await sign(), issuer.address)).isOwner).toBe(false)
})

test('behavior: where the chain is away, the owner is not judged', async () => {
  expect(await verifyCredential(await sign(), { nowMs, findOwner: async () => undefined })).toEqual({
    isSigned: true,
    isRunning: true,
    isOwner: undefined,
  })
})
