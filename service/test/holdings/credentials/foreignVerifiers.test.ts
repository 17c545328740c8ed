import { recoverTypedSignature, SignTypedDataVersion } from '@metamask/eth-sig-util'
import { CredentialProviderEIP712 } from '@veramo/credential-eip712'
import { verifyTypedData } from 'ethers'
import { issueCredential } from 'kassa/engine'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ReceivedCredential } from '../../helpers/verifyCredential.js'

const issuer = privateKeyToAccount(`0x${'5'.repeat(64)}`)
const nowMs = 1_800_000_000_000

let credential: ReceivedCredential
let changed: ReceivedCredential
beforeAll(async () => {
  const issued = await issueCredential(
    {
      issuer: {
        address: issuer.address,
        sign: (typed) => issuer.signTypedData(typed as Parameters<typeof issuer.signTypedData>[0]),
      },
      namespace: 'kassa',
      nowMs,
      id: '07070707-0707-4707-8707-070707070707',
    },
    {
      token: { chain: 'base-sepolia', contractAddress: `0x${'c'.repeat(40)}`, tokenId: '7' },
      caip2: 'eip155:84532',
      owner: `0x${'a'.repeat(40)}`,
      expiresAt: undefined,
    },
  )
  // As received over the wire.
  credential = JSON.parse(JSON.stringify(issued))
  changed = { ...credential, nft: { ...credential.nft, tokenId: '8' } }
})

type Verifier = (credential: ReceivedCredential) => Promise<boolean> | boolean

const split = ({ proof, ...claims }: ReceivedCredential) => {
  const { proofValue, eip712, ...options } = proof
  return { message: { ...claims, proof: options }, signature: proofValue, ...eip712 }
}

const verifyByEthers: Verifier = (given) => {
  const { domain, types, message, signature } = split(given)
  // ethers derives the domain's type from the domain, and requires that the types omit it.
  const { EIP712Domain: _, ...others } = types
  const mutable = Object.fromEntries(Object.entries(others).map(([name, fields]) => [name, [...fields]]))
  return verifyTypedData(domain, mutable, message, signature) === issuer.address
}

const verifyByMetaMask: Verifier = (given) => {
  const { signature, ...data } = split(given)
  const typed = data as unknown as Parameters<typeof recoverTypedSignature>[0]['data']
  const options = { data: typed, signature, version: SignTypedDataVersion.V4 }
  return (
    recoverTypedSignature(options as Parameters<typeof recoverTypedSignature>[0]) ===
    issuer.address.toLowerCase()
  )
}

/** The method of did:pkh: the document contains the account in the DID. */
const resolveDid = async ({ didUrl }: { didUrl: string }) => {
  const blockchainAccountId = didUrl.replace('did:pkh:', '')
  const method = {
    id: `${didUrl}#blockchainAccountId`,
    type: 'EcdsaSecp256k1RecoveryMethod2020',
    controller: didUrl,
  }
  return { didDocument: { id: didUrl, verificationMethod: [{ ...method, blockchainAccountId }] } }
}

const verifyByVeramo: Verifier = async (given) => {
  type Verify = CredentialProviderEIP712['verifyCredential']
  const [asked, context] = [{ credential: given }, { agent: { resolveDid } }] as unknown as Parameters<Verify>
  return (await new CredentialProviderEIP712().verifyCredential(asked, context)).verified
}

describe.each<[string, Verifier]>([
  ['ethers', verifyByEthers],
  ['@metamask/eth-sig-util', verifyByMetaMask],
  ['Veramo', verifyByVeramo],
])('%s', (_, verify) => {
  test('default: accepts a credential unchanged', async () => {
    expect(await verify(credential)).toBe(true)
  })

  test('behavior: refuses one with any changed word', async () => {
    expect(await verify(changed)).toBe(false)
  })
})

test('behavior: the types describe the domain too, field by field', () => {
  const { domain, types } = credential.proof.eip712
  expect(types.EIP712Domain?.map(({ name }) => name)).toEqual(Object.keys(domain))
})
