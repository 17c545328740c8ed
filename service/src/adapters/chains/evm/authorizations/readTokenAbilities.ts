import {
  type Address,
  type Hex,
  hashDomain,
  keccak256,
  type PublicClient,
  parseAbi,
  stringToHex,
  zeroAddress,
  zeroHash,
} from 'viem'
import { isNodeFailure } from '../connection/rpc.js'

/** What a token can do with signatures, as the chain shows it. */
export type TokenAbilities = {
  /** The domain of its typed data. Absent if the token has none, or one of another form. */
  domain?: { name: string; version: string } | undefined
  /** Whether it takes signed transfers (ERC-3009). */
  hasTransfers: boolean
  /** Whether it takes signed permits (ERC-2612). */
  hasPermits: boolean
}

const abi = parseAbi([
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function eip712Domain() view returns (bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function nonces(address owner) view returns (uint256)',
  'function PERMIT_TYPEHASH() view returns (bytes32)',
])

const domainTypes = {
  EIP712Domain: [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ],
} as const

/** Some tokens have permits of an older form, and say so. */
const permitHash: Hex = keccak256(
  stringToHex('Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)'),
)

/** The versions to try of a token that does not tell its own. */
const usualVersions = ['1', '2']

/**
 * Reads what a token can do with signatures. Its domain counts only if it gives the token's own separator: otherwise a
 * wallet would sign what the token refuses.
 *
 * @param batching - A client that sends the calls of a moment in one request.
 */
export const readTokenAbilities = async (
  batching: PublicClient,
  address: Address,
  chainId: number,
): Promise<TokenAbilities> => {
  /** Answers `undefined` where the token has no such function. */
  const ask = <Answer>(answer: Promise<Answer>): Promise<Answer | undefined> =>
    answer.catch((error) => {
      if (isNodeFailure(error)) throw error
      return undefined
    })
  const token = { address, abi }
  const [name, version, told, separator, state, nonce, ownPermitHash] = await Promise.all([
    ask(batching.readContract({ ...token, functionName: 'name' })),
    ask(batching.readContract({ ...token, functionName: 'version' })),
    ask(batching.readContract({ ...token, functionName: 'eip712Domain' })),
    ask(batching.readContract({ ...token, functionName: 'DOMAIN_SEPARATOR' })),
    ask(
      batching.readContract({ ...token, functionName: 'authorizationState', args: [zeroAddress, zeroHash] }),
    ),
    ask(batching.readContract({ ...token, functionName: 'nonces', args: [zeroAddress] })),
    ask(batching.readContract({ ...token, functionName: 'PERMIT_TYPEHASH' })),
  ])
  const versions = version === undefined ? usualVersions : [version, ...usualVersions]
  const domain = [
    ...(told ? [{ name: told[1], version: told[2] }] : []),
    ...(name === undefined ? [] : versions.map((each) => ({ name, version: each }))),
  ].find(
    (each) =>
      hashDomain({
        domain: { ...each, chainId: BigInt(chainId), verifyingContract: address },
        types: domainTypes,
      }) === separator,
  )
  const isStandardPermit = ownPermitHash === undefined || ownPermitHash === permitHash
  return {
    domain,
    hasTransfers: domain !== undefined && state !== undefined,
    hasPermits: domain !== undefined && nonce !== undefined && isStandardPermit,
  }
}
