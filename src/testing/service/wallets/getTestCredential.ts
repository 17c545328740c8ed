import { type Address, hashTypedData, keccak256, stringToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { makeKey } from '../../../api/makeKey.js'
import { clip } from '../../../engine/clip.js'
import { type Issuer, issueCredential } from '../../../engine/evm/issueCredential.js'
import { parseAddress } from '../../../engine/evm/parseAddress.js'
import { invalid } from '../../../engine/invalidInput.js'
import { parseAddress as parseSolanaAddress } from '../../../engine/solana/parseAddress.js'
import { explainChainAddress } from '../../../engine/wallet/parseChainAddress.js'
import { readTokenLocator } from '../../../engine/wallet/readTokenNames.js'
import { evmChains } from '../../../schema/chains.js'
import type { TokenLocatorParts } from '../../../schema/tokenLocator.js'
import type { TestChainName } from '../../network.js'
import { solanaCaip2 } from '../../solana/network.js'
import type { Answer } from '../http.js'
import { HttpError } from '../http.js'
import type { TestWorld } from '../testWorld.js'
import { toUuid } from '../toUuid.js'
import { readChain } from './readTransactions.js'

const account = privateKeyToAccount(keccak256(stringToHex('kassa test issuer')))
/** The address of the issuer of test services' credentials. */
export const issuer: Address = account.address

const sign: Issuer['sign'] = ({ domain, types, primaryType, message }) => {
  const typed: Parameters<typeof hashTypedData>[0] = { domain, types, primaryType, message }
  return account.sign({ hash: hashTypedData(typed) })
}

const refuse = (what: string) => invalid('nftLocator', what)

/** A token, the CAIP-2 id of its chain, and its current holder. */
type Held = { token: TokenLocatorParts; caip2: string; owner: string | undefined }

const findHolder = ({ chains, solana }: TestWorld, chain: TestChainName, parts: TokenLocatorParts): Held => {
  const given = parts.mintHash ?? parts.contractAddress
  if (chain === 'solana' || parts.mintHash !== undefined) {
    if (parseSolanaAddress(given) === undefined) throw refuse(explainChainAddress(given, chain))
    solana.mine()
    const token = { chain: 'solana', mintHash: given } as const
    return { token, caip2: solanaCaip2, owner: solana.mints.find(given)?.owner }
  }
  const contractAddress = parseAddress(given)
  if (!contractAddress) throw refuse(explainChainAddress(given, chain))
  chains.mine()
  const { chainId } = evmChains[chain]
  const owner = chains.tokens.ownerOf({ chainId, contractAddress, tokenId: BigInt(parts.tokenId) })
  return { token: { ...parts, contractAddress }, caip2: `eip155:${chainId}`, owner }
}

/** Issues a token's credential for its current holder. */
export const getTestCredential = async (world: TestWorld, nftLocator: string): Promise<Answer> => {
  const parts = readTokenLocator(nftLocator)
  const chain = readChain(world, 'nftLocator', parts.chain)
  const { token, caip2, owner } = findHolder(world, chain, parts)
  if (!owner) throw new HttpError(404, `Token ${clip(nftLocator)} not found`)
  const value = await issueCredential(
    { id: toUuid(makeKey()), namespace: 'kassa', nowMs: world.now(), issuer: { address: issuer, sign } },
    { token, caip2, owner, expiresAt: undefined },
  )
  return { status: 200, body: { value } }
}
