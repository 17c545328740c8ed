import { getTransferSolInstruction } from '@solana-program/system'
import { ServiceError } from '#base/errors.js'
import type { MintInput, MintResult, TokenMint } from '#base/ports/collections.js'
import { firstKey } from '#base/ports/write.js'
import { deriveCollection, deriveToken } from '../connection/derivedAddresses.js'
import { parseAddress } from '../connection/parseAddress.js'
import type { Keyed } from '../outbox/write.js'
import { toCompressed } from './onChainMetadata.js'
import { type CollectionParts, type Make, sendInstructions } from './sendInstructions.js'

/** Mints a token to the tree of its collection, which is created with the first one. */
export const mintCompressed = async (
  parts: CollectionParts,
  { key, options }: Keyed,
  { collection, supplyLimit = 0n, token }: MintInput & { token: TokenMint },
): Promise<MintResult> => {
  const { chain, operator, compression, read } = parts
  const recipient = parseAddress(token.recipient)
  if (!compression || !recipient) {
    const message = `${chain} has no program of compressed tokens any more: see KASSA_SOLANA_PROGRAMS`
    throw new ServiceError('chain-unavailable', message, { retryAfterSeconds: 60 })
  }
  const group = deriveCollection(operator, collection).address
  const tree = compression.treeOf(operator, group)
  if (!(await read((rpc) => compression.hasTree(rpc, tree)))) {
    const make: Make = (mintParts) => compression.createTree(mintParts, group, supplyLimit)
    const treeKey = `tree:${group}${key.slice(firstKey(key).length)}`
    const planted = await sendInstructions(parts, { key: treeKey }, { make, trace: tree, isGuarded: false })
    if (planted.status === 'failed') return planted
  }
  // Its transaction names an address of its own, by which it is found.
  const trace = deriveToken(operator, group, token.tokenId).address
  const make: Make = async ({ operator: source }) => [
    await compression.mint(source, { tree, recipient, metadata: toCompressed(token) }),
    getTransferSolInstruction({ source, destination: trace, amount: 0n }),
  ]
  // A tree takes any number of leaves of the same token.
  const minted = await sendInstructions(parts, { key, options }, { make, trace, isGuarded: true })
  if (minted.status === 'failed') return minted
  const mintHash = await read((rpc) => compression.readAsset(rpc, minted.txId, tree))
  if (mintHash !== undefined) return { ...minted, mintHash }
  const message = `${chain} does not show the transaction ${minted.txId} yet`
  throw new ServiceError('chain-unavailable', message, { retryAfterSeconds: 5 })
}
