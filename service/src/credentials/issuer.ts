/** The data to sign: typed data of EIP-712. */
export type TypedData = {
  domain: Readonly<Record<string, unknown>>
  types: Readonly<Record<string, readonly { name: string; type: string }[]>>
  primaryType: string
  message: Readonly<Record<string, unknown>>
}

/** The signer of credentials. */
export type Issuer = {
  address: string
  /** @returns 65 bytes in hex. */
  sign(data: TypedData): Promise<string>
}
