import type { Address, Instruction } from '@solana/kit'
import { ServiceError } from '#base/errors.js'
import type { MintInput, MintResult, TokenMint } from '#base/ports/collections.js'
import { firstKey } from '#base/ports/write.js'
import { deriveCollection, deriveToken } from '../connection/derivedAddresses.js'
import { parseAddress } from '../connection/parseAddress.js'
import type { Keyed } from '../outbox/write.js'
import { createCopyInstructions, createMemberInstructions, type MintParts } from './mintInstructions.js'
import { toOnChain } from './onChainMetadata.js'
import { readMint } from './readMint.js'
import { type CollectionParts, type Make, sendInstructions } from './sendInstructions.js'

/** Copies of one token for one recipient, which are one instruction. */
type Copies = { token: TokenMint; recipient: Address; copies: bigint }

const groupCopies = (tokens: readonly TokenMint[]): Copies[] => {
  const groups = new Map<string, Copies>()
  for (const token of tokens) {
    const recipient = parseAddress(token.recipient)
    if (!recipient) throw new ServiceError('input-invalid', 'recipient: expected an address on solana')
    const place = `${token.tokenId}:${recipient}`
    const known = groups.get(place)
    groups.set(place, { token, recipient, copies: (known?.copies ?? 0n) + 1n })
  }
  return [...groups.values()]
}

/** Returns where a token of a collection is minted, and as a member of which group. */
const placeOf = (operator: Address, { collection }: MintInput, { tokenId }: TokenMint) => {
  const group = deriveCollection(operator, collection).address
  const { isTransferable = true } = collection
  return { collection: group, token: deriveToken(operator, group, tokenId), isTransferable }
}

const makeMint = async (parts: MintParts, input: MintInput): Promise<Instruction[]> => {
  const isMany = input.collection.standard === 'erc-1155'
  const instructions: Instruction[] = []
  for (const { token, recipient, copies } of groupCopies(input.tokens)) {
    const place = placeOf(parts.operator.address, input, token)
    if (!isMany) instructions.push(...(await createMemberInstructions(parts, place, toOnChain(token))))
    const minting = { recipient, copies, isLast: !isMany }
    instructions.push(...(await createCopyInstructions(parts, place.token.address, minting)))
  }
  return instructions
}

/** Mints non-fungible tokens. */
export const mintSingles = (parts: CollectionParts, keyed: Keyed, input: MintInput): Promise<MintResult> => {
  const [first] = input.tokens
  const trace = first && placeOf(parts.operator, input, first).token.address
  // The mint of the token is derived from its id, so it cannot be created twice.
  const make: Make = (mintParts) => makeMint(mintParts, input)
  return sendInstructions(parts, keyed, { make, trace, isGuarded: false })
}

/**
 * Mints copies of a semi-fungible token. A transaction of their own creates the mint before, so that each one that
 * mints copies has room for its guard: an earlier copy of it may have created the mint, and a later one would not.
 */
export const mintCopies = async (
  parts: CollectionParts,
  keyed: Keyed,
  { token, ...input }: MintInput & { token: TokenMint },
): Promise<MintResult> => {
  const place = placeOf(parts.operator, input, token)
  const mint = place.token.address
  if (!(await parts.read((rpc) => readMint(rpc, mint)))) {
    const make: Make = (mintParts) => createMemberInstructions(mintParts, place, toOnChain(token))
    const key = `token:${mint}${keyed.key.slice(firstKey(keyed.key).length)}`
    const created = await sendInstructions(parts, { key }, { make, trace: mint, isGuarded: false })
    if (created.status === 'failed') return created
  }
  const make: Make = (mintParts) => makeMint(mintParts, input)
  return sendInstructions(parts, keyed, { make, trace: mint, isGuarded: true })
}
