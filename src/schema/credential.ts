import * as z from 'zod/mini'
import { maybe } from './maybe.js'

/** An EIP-712 signature, with everything needed to verify it. */
export const CredentialProof = z.looseObject({
  type: z.string(),
  /** ISO 8601. */
  created: z.string(),
  proofPurpose: z.string(),
  verificationMethod: z.string(),
  /** `0x` and 65 bytes. */
  proofValue: z.string(),
  eip712: maybe(
    z.looseObject({
      domain: z.looseObject({}),
      types: z.looseObject({}),
      primaryType: z.string(),
    }),
  ),
})
export type CredentialProof = z.infer<typeof CredentialProof>

/**
 * A W3C verifiable credential: the issuer states who held a token at `issuanceDate`.
 *
 * @source interface.md "Credential"; answers.md "Credentials"
 */
export const Credential = z.looseObject({
  '@context': z.array(z.string()),
  id: z.string(),
  type: z.array(z.string()),
  /** `did:pkh:eip155:<chainId>:<address>` of the key that signed, an EVM key on every chain. */
  issuer: z.looseObject({ id: z.string() }),
  /** `id` is the DID of the token's owner. */
  credentialSubject: z.looseObject({ id: z.string() }),
  /** By `contractAddress` and `tokenId` on EVM chains, by `mintHash` on Solana. */
  nft: z.looseObject({
    chain: z.string(),
    contractAddress: maybe(z.string()),
    tokenId: maybe(z.string()),
    mintHash: maybe(z.string()),
  }),
  /** ISO 8601. */
  issuanceDate: z.string(),
  /** ISO 8601. */
  expirationDate: maybe(z.string()),
  proof: CredentialProof,
})
export type Credential = z.infer<typeof Credential>

/** The service's answer with a credential. */
export const CredentialAnswer = z.looseObject({ value: Credential })
export type CredentialAnswer = z.infer<typeof CredentialAnswer>
