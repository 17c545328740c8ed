import {
  type Address,
  decodeAbiParameters,
  decodeFunctionResult,
  encodeDeployData,
  encodeFunctionData,
  getAddress,
  type Hex,
  type PublicClient,
  parseAbi,
  size,
} from 'viem'
import type { TokenOfHolder } from '#base/ports/wallet.js'
import { TokenReads } from '../artifacts/TokenReads.js'

/** What a contract reports about a token. Untrusted: all of it may be false. */
export type TokenState = {
  kind: 'ERC-721' | 'ERC-1155' | 'ERC-5643'
  owner: Address
  balance: bigint
  expiresAt: bigint
  uri: string | undefined
}

/** A node limits the answer to the size of a contract, and the request's gas to that of a block. */
const maxTokens = 40
const maxUriBytes = 65_536

const kinds = [undefined, 'ERC-721', 'ERC-1155', 'ERC-5643'] as const
const readsType = [
  {
    type: 'tuple[]',
    components: [
      { name: 'kind', type: 'uint256' },
      { name: 'owner', type: 'address' },
      { name: 'balance', type: 'uint256' },
      { name: 'expiresAt', type: 'uint256' },
      { name: 'uriSize', type: 'uint256' },
      { name: 'uri', type: 'bytes' },
    ],
  },
] as const
const uriAbi = parseAbi([
  'function tokenURI(uint256 id) view returns (string)',
  'function uri(uint256 id) view returns (string)',
])

const decodeUri = (data: Hex): string | undefined => {
  if (size(data) > maxUriBytes) return undefined
  try {
    // No valid URI contains a null character, which database columns refuse.
    const uri = decodeFunctionResult({ abi: uriAbi, functionName: 'tokenURI', data })
      .replaceAll('\0', '')
      .trim()
    return uri || undefined
  } catch {
    return undefined
  }
}

/** Reads one long URI in a request for that URI alone. */
const readUri = async (
  client: PublicClient,
  token: TokenOfHolder,
  isMany: boolean,
): Promise<string | undefined> => {
  const args = [BigInt(token.tokenId)] as const
  const data = encodeFunctionData({ abi: uriAbi, functionName: isMany ? 'uri' : 'tokenURI', args })
  const answer = await client.call({ to: getAddress(token.contract), data }).catch(() => undefined)
  return answer?.data && decodeUri(answer.data)
}

const readChunk = async (
  client: PublicClient,
  tokens: readonly TokenOfHolder[],
): Promise<(TokenState | undefined)[]> => {
  const asked = tokens.map(({ contract, tokenId, holder }) => ({
    token: getAddress(contract),
    id: BigInt(tokenId),
    holder: getAddress(holder),
  }))
  const { data = '0x' } = await client.call({ data: encodeDeployData({ ...TokenReads, args: [asked] }) })
  const [reads] = decodeAbiParameters(readsType, data)
  return Promise.all(
    tokens.map(async (token, at) => {
      const read = reads[at]
      const kind = kinds[Number(read?.kind ?? 0n)]
      if (!read || !kind) return undefined
      const isShort = BigInt(size(read.uri)) === read.uriSize && read.uriSize > 0n
      const uri = isShort ? decodeUri(read.uri) : await readUri(client, token, kind === 'ERC-1155')
      const { owner, balance, expiresAt } = read
      return { kind, owner, balance, expiresAt, uri }
    }),
  )
}

/**
 * Reads tokens in one request. If it fails, it reads each half in turn, down to the token that cannot be
 * read.
 */
const readOrHalve = async (
  client: PublicClient,
  tokens: readonly TokenOfHolder[],
): Promise<(TokenState | undefined)[]> => {
  try {
    return await readChunk(client, tokens)
  } catch {
    // Throws if the node is failing, as opposed to the request.
    await client.getBlockNumber({ cacheTime: 0 })
    if (tokens.length <= 1) return tokens.map(() => undefined)
    const half = Math.ceil(tokens.length / 2)
    const halves = [tokens.slice(0, half), tokens.slice(half)]
    return (await Promise.all(halves.map((part) => readOrHalve(client, part)))).flat()
  }
}

/**
 * Reads what contracts report about tokens. The result is `undefined` for each token whose contract answers
 * nonsense, without affecting the others.
 */
export const readTokenStates = async (
  client: PublicClient,
  tokens: readonly TokenOfHolder[],
): Promise<(TokenState | undefined)[]> => {
  const chunks = Array.from({ length: Math.ceil(tokens.length / maxTokens) }, (_, at) =>
    tokens.slice(at * maxTokens, (at + 1) * maxTokens),
  )
  return (await Promise.all(chunks.map((chunk) => readOrHalve(client, chunk)))).flat()
}
