import { type Address, concatHex, type Hex, keccak256, pad, recoverAddress, stringToHex, toHex } from 'viem'

type Member = { name: string; type: string }
type Types = Readonly<Record<string, readonly Member[]>>
type Json = Record<string, unknown>

/** A credential as a verifier receives it: as JSON. */
export type ReceivedCredential = Json & {
  issuer: { id: string }
  credentialSubject: { id: string }
  nft: { tokenId: string; chain: string; contractAddress: string }
  expirationDate: string
  proof: Json & {
    type: string
    proofValue: string
    verificationMethod: string
    eip712: { domain: Json; types: Types; primaryType: string }
  }
}

const hashText = (text: string): Hex => keccak256(stringToHex(text))
const word = (value: bigint): Hex => pad(toHex(value), { size: 32 })

const collect = (types: Types, name: string, found: Set<string> = new Set()): Set<string> => {
  if (found.has(name) || !types[name]) return found
  found.add(name)
  for (const member of types[name]) collect(types, member.type.replace(/\[\]$/, ''), found)
  return found
}

const hashType = (types: Types, name: string): Hex => {
  const [first = '', ...rest] = collect(types, name)
  const write = (one: string) =>
    `${one}(${(types[one] ?? []).map((member) => `${member.type} ${member.name}`).join(',')})`
  return hashText([first, ...rest.sort()].map(write).join(''))
}

const encode = (types: Types, type: string, value: unknown): Hex => {
  if (type.endsWith('[]')) {
    const items = Array.isArray(value) ? value : []
    return keccak256(concatHex(items.map((item) => encode(types, type.slice(0, -2), item))))
  }
  if (types[type]) return hashStruct(types, type, value as Json)
  if (type === 'string') return hashText(String(value))
  if (type === 'uint256') return word(BigInt(String(value)))
  throw new Error(`no credential has a ${type}`)
}

const hashStruct = (types: Types, name: string, value: Json): Hex =>
  keccak256(
    concatHex([
      hashType(types, name),
      ...(types[name] ?? []).map((member) => encode(types, member.type, value[member.name])),
    ]),
  )

const domainTypes: Types = {
  EIP712Domain: [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
  ],
}

/** Returns the signed data in EIP-712 form, computed from the credential alone. */
export const hashCredential = ({ proof, ...claims }: ReceivedCredential): Hex => {
  const { proofValue: _signature, eip712, ...proofOptions } = proof
  const { domain, types, primaryType } = eip712
  const message = hashStruct(types, primaryType, { ...claims, proof: proofOptions })
  return keccak256(concatHex(['0x1901', hashStruct(domainTypes, 'EIP712Domain', domain), message]))
}

/**
 * Verifies a credential without the service's code, trusting its address, by the text of EIP-712.
 *
 * @returns The fault, or the holder of the token.
 */
export const verifyCredential = async (
  credential: ReceivedCredential,
  { issuer, nowMs }: { issuer: Address; nowMs: number },
): Promise<{ owner: string } | { fault: 'issuer' | 'signature' | 'expired' | 'unsigned field' }> => {
  const { proof, expirationDate } = credential
  const { chainId } = proof.eip712.domain
  if (credential.issuer.id !== `did:pkh:eip155:${chainId}:${issuer}`) return { fault: 'issuer' }
  if (!proof.verificationMethod.startsWith(`${credential.issuer.id}#`)) return { fault: 'issuer' }
  const signed = new Set(proof.eip712.types[proof.eip712.primaryType]?.map(({ name }) => name))
  if (Object.keys(credential).some((name) => !signed.has(name))) return { fault: 'unsigned field' }
  const signature = proof.proofValue as Hex
  const signer = await recoverAddress({ hash: hashCredential(credential), signature }).catch(() => undefined)
  if (signer !== issuer) return { fault: 'signature' }
  if (Date.parse(expirationDate) <= nowMs) return { fault: 'expired' }
  return { owner: credential.credentialSubject.id.split(':').at(-1) ?? '' }
}
