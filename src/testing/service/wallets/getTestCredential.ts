import { type Address, hashTypedData, keccak256, stringToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { makeKey } from '../../../api/makeKey.js'
import { clip } from '../../../engine/clip.js'
import { type Issuer, issueCredential } from '../../../engine/evm/issueCredential.js'
import { parseAddress } from '../../../engine/evm/parseAddress.js'
import { parseTokenLocator } from '../../../schema/tokenLocator.js'
import type { Answer } from '../http.js'
import { badInput, HttpError } from '../http.js'
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

const refuse = (what: string): HttpError => badInput(`nftLocator: ${what}`)

/** Issues a token's credential for its current holder. */
export const getTestCredential = async (world: TestWorld, nftLocator: string): Promise<Answer> => {
  const parts = parseTokenLocator(nftLocator)
  if (!parts) throw refuse('expected <chain>:<contractAddress>:<tokenId>')
  const { chainId } = readChain(world, 'nftLocator', parts.chain)
  const contractAddress = parseAddress(parts.contractAddress)
  if (!contractAddress) throw refuse(`${parts.contractAddress} is not an address on ${parts.chain}`)
  world.chains.mine()
  const owner = world.chains.tokens.ownerOf({ chainId, contractAddress, tokenId: BigInt(parts.tokenId) })
  if (!owner) throw new HttpError(404, `Token ${clip(nftLocator)} not found`)
  const value = await issueCredential(
    { id: toUuid(makeKey()), namespace: 'kassa', nowMs: world.now(), issuer: { address: issuer, sign } },
    { token: { ...parts, contractAddress }, chainId, owner, expiresAt: undefined },
  )
  return { status: 200, body: { value } }
}
