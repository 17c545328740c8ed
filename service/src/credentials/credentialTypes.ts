/** The signed data of a credential in EIP-712 types: every field except the signature. */
export const credentialTypes = {
  // Libraries that hash the domain by its own type, such as eth-sig-util and Veramo, need it here.
  EIP712Domain: [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
  ],
  VerifiableCredential: [
    { name: '@context', type: 'string[]' },
    { name: 'id', type: 'string' },
    { name: 'type', type: 'string[]' },
    { name: 'issuer', type: 'Issuer' },
    { name: 'issuanceDate', type: 'string' },
    { name: 'expirationDate', type: 'string' },
    { name: 'credentialSubject', type: 'CredentialSubject' },
    { name: 'nft', type: 'Nft' },
    { name: 'proof', type: 'Proof' },
  ],
  Issuer: [{ name: 'id', type: 'string' }],
  CredentialSubject: [{ name: 'id', type: 'string' }],
  Nft: [
    { name: 'tokenId', type: 'string' },
    { name: 'chain', type: 'string' },
    { name: 'contractAddress', type: 'string' },
  ],
  Proof: [
    { name: 'type', type: 'string' },
    { name: 'created', type: 'string' },
    { name: 'proofPurpose', type: 'string' },
    { name: 'verificationMethod', type: 'string' },
  ],
} as const satisfies Record<string, readonly { name: string; type: string }[]>
