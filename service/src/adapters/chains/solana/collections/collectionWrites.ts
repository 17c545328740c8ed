import type { Address, Instruction } from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import { ServiceError } from '#base/errors.js'
import type { ChainPort } from '#base/ports/chain.js'
import type {
  CollectionRef,
  CollectionTerms,
  MintInput,
  MintResult,
  TokenMint,
} from '#base/ports/collections.js'
import { firstKey, type WriteOptions, type WriteResult } from '#base/ports/write.js'
import type { ChainParts } from '../chainParts.js'
import { deriveCollection, deriveToken } from '../connection/derivedAddresses.js'
import { parseAddress } from '../connection/parseAddress.js'
import type { Write } from '../outbox/write.js'
import {
  createCopyInstructions,
  createGroupInstructions,
  createLimitInstruction,
  createMemberInstructions,
  createUpdateInstructions,
  type MintParts,
  type OnChainMetadata,
} from './mintInstructions.js'
import { readMint, type ServiceMint } from './readMint.js'

/** What writes to collections need. */
type WriteParts = Pick<ChainParts, 'chain' | 'operator' | 'compression' | 'use' | 'read'>

/** Builds the instructions of a write. */
type Make = (parts: MintParts) => Promise<Instruction[]>

/** The part of a chain port that writes collections and tokens. */
export type CollectionWrites = Pick<
  ChainPort,
  | 'collectionAddress'
  | 'tokenAddress'
  | 'countMints'
  | 'createCollection'
  | 'updateCollection'
  | 'mint'
  | 'updateToken'
>

/** Longer texts leave no room for the rest in a transaction. The token's JSON has them whole. @units bytes */
const maxBytes = { name: 64, symbol: 10 }

/** The longest name that Bubblegum takes. @units bytes */
const maxCompressedName = 32

/** A transaction of 1,232 bytes has room for a guard and this many accounts for copies of a token. */
const maxRecipients = 3

const clipBytes = (text: string, limit: number): string => {
  let clipped = ''
  for (const character of text) {
    if (Buffer.byteLength(clipped + character) > limit) return clipped
    clipped += character
  }
  return clipped
}

type GivenMetadata = { name?: string | undefined; symbol?: string | undefined; uri: string }

const toOnChain = ({ name = '', symbol = '', uri }: GivenMetadata): OnChainMetadata => ({
  name: clipBytes(name, maxBytes.name),
  symbol: clipBytes(symbol, maxBytes.symbol),
  uri,
})

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

/** Creates and updates collections and tokens on Solana: groups and members of Token-2022. */
export const createCollectionWrites = ({
  chain,
  operator,
  compression,
  use,
  read,
}: WriteParts): CollectionWrites => {
  const send = (
    key: string,
    { make, ...write }: { make: Make } & Omit<Write, 'makeInstructions'>,
    options: WriteOptions | undefined,
  ): Promise<WriteResult> =>
    use(({ rpc, operator: signer, outbox }) => {
      const rentFor = (size: number) => rpc.getMinimumBalanceForRentExemption(BigInt(size)).send()
      const makeInstructions = () => make({ operator: signer, rentFor })
      return outbox.send(key, { makeInstructions, ...write }, options)
    })
  // A group limits its members, and the copies of a semi-fungible token are one member.
  const limitOf = ({ standard }: CollectionRef, { supplyLimit }: CollectionTerms): bigint =>
    standard === 'erc-1155' ? 0n : supplyLimit
  const addressOf = ({ key, standard }: CollectionRef): Address =>
    deriveCollection(operator, `${standard}:${key}`).address

  const requireMint = async (mint: Address): Promise<ServiceMint> => {
    const known = await read((rpc) => readMint(rpc, mint))
    // A node that is behind may not show it yet.
    if (known) return known
    throw new ServiceError('chain-unavailable', `${chain} does not show the mint ${mint} yet`, {
      retryAfterSeconds: 5,
    })
  }

  /** Returns the last transaction that names a mint, as the one that made a change which is there already. */
  const findLast = (mint: Address): Promise<string | undefined> =>
    read(async (rpc) => {
      const terms = { commitment: 'confirmed', limit: 20 } as const
      const page = await rpc.getSignaturesForAddress(mint, terms).send()
      return page.find(({ err }) => err === null)?.signature
    })

  /** Writes what a mint says of itself, unless the chain has this change or a newer one. */
  const update = async (
    key: string,
    { mint, revision }: { mint: Address; revision: bigint },
    toMetadata: (known: ServiceMint) => OnChainMetadata,
    more: (parts: MintParts) => Instruction[],
    options: WriteOptions | undefined,
  ): Promise<WriteResult> => {
    const make: Make = async (parts) => {
      const known = await requireMint(mint)
      if (known.revision >= revision) throw new NewerError()
      const metadata = toMetadata(known)
      return [...(await createUpdateInstructions(parts, mint, { known, metadata, revision })), ...more(parts)]
    }
    try {
      // A second copy writes the same once more.
      return await send(key, { make, trace: undefined, isGuarded: false }, options)
    } catch (error) {
      const txId = error instanceof NewerError ? await findLast(mint) : undefined
      if (txId === undefined) throw error
      return { status: 'succeeded', txId }
    }
  }

  const makeMint = async (parts: MintParts, { collection, tokens }: MintInput): Promise<Instruction[]> => {
    const group = addressOf(collection)
    const { isTransferable = true } = collection
    const isMany = collection.standard === 'erc-1155'
    const instructions: Instruction[] = []
    for (const { token, recipient, copies } of groupCopies(tokens)) {
      const derived = deriveToken(operator, group, token.tokenId)
      const mint = derived.address
      const place = { collection: group, token: derived, isTransferable }
      if (!isMany) instructions.push(...(await createMemberInstructions(parts, place, toOnChain(token))))
      const minting = { recipient, copies, isLast: !isMany }
      instructions.push(...(await createCopyInstructions(parts, mint, minting)))
    }
    return instructions
  }

  /**
   * Mints copies of a semi-fungible token. A transaction of their own creates the mint before, so that each one that
   * mints copies has room for its guard: an earlier copy of it may have created the mint, and a later one would not.
   */
  const mintCopies = async (
    key: string,
    input: MintInput,
    token: TokenMint,
    options: WriteOptions | undefined,
  ): Promise<MintResult> => {
    const group = addressOf(input.collection)
    const { isTransferable = true } = input.collection
    const derived = deriveToken(operator, group, token.tokenId)
    const mint = derived.address
    if (!(await read((rpc) => readMint(rpc, mint)))) {
      const place = { collection: group, token: derived, isTransferable }
      const make: Make = (parts) => createMemberInstructions(parts, place, toOnChain(token))
      const tokenKey = `token:${mint}${key.slice(firstKey(key).length)}`
      const created = await send(tokenKey, { make, trace: mint, isGuarded: false }, undefined)
      if (created.status === 'failed') return created
    }
    const make: Make = (parts) => makeMint(parts, input)
    return send(key, { make, trace: mint, isGuarded: true }, options)
  }

  /** Mints a token to the tree of its collection, which is created with the first one. */
  const mintCompressed = async (
    key: string,
    { collection, supplyLimit = 0n }: MintInput,
    token: TokenMint,
    options: WriteOptions | undefined,
  ): Promise<MintResult> => {
    const recipient = parseAddress(token.recipient)
    if (!compression || !recipient) {
      const message = `${chain} has no program of compressed tokens any more: see KASSA_SOLANA_PROGRAMS`
      throw new ServiceError('chain-unavailable', message, { retryAfterSeconds: 60 })
    }
    const group = addressOf(collection)
    const tree = compression.treeOf(operator, group)
    if (!(await read((rpc) => compression.hasTree(rpc, tree)))) {
      const make: Make = (parts) => compression.createTree(parts, group, supplyLimit)
      const treeKey = `tree:${group}${key.slice(firstKey(key).length)}`
      const planted = await send(treeKey, { make, trace: tree, isGuarded: false }, undefined)
      if (planted.status === 'failed') return planted
    }
    // Its transaction names an address of its own, by which it is found.
    const trace = deriveToken(operator, group, token.tokenId).address
    const metadata = { ...toOnChain(token), name: clipBytes(token.name ?? '', maxCompressedName) }
    const make: Make = async ({ operator: source }) => [
      await compression.mint(source, { tree, recipient, metadata }),
      getTransferSolInstruction({ source, destination: trace, amount: 0n }),
    ]
    // A tree takes any number of leaves of the same token.
    const minted = await send(key, { make, trace, isGuarded: true }, options)
    if (minted.status === 'failed') return minted
    const mintHash = await read((rpc) => compression.readAsset(rpc, minted.txId, tree))
    if (mintHash !== undefined) return { ...minted, mintHash }
    const message = `${chain} does not show the transaction ${minted.txId} yet`
    throw new ServiceError('chain-unavailable', message, { retryAfterSeconds: 5 })
  }

  return {
    collectionAddress: addressOf,
    tokenAddress: (collection, tokenId) => deriveToken(operator, addressOf(collection), tokenId).address,
    countMints: (_, tokens) => {
      const [first] = tokens
      const recipients = new Set<string>()
      const end = tokens.findIndex(({ tokenId, recipient }) => {
        recipients.add(recipient)
        return tokenId !== first?.tokenId || recipients.size > maxRecipients
      })
      return end < 0 ? Math.max(1, tokens.length) : end
    },
    // The key comes from the collection, so a collection is created once under any caller's key.
    createCollection: (key, { collection, terms }, options) => {
      const attempt = key.slice(firstKey(key).length)
      const derived = deriveCollection(operator, `${collection.standard}:${collection.key}`)
      const make: Make = (parts) =>
        createGroupInstructions(parts, derived, {
          metadata: toOnChain(terms),
          supplyLimit: limitOf(collection, terms),
        })
      return send(
        `${collection.standard}:${collection.key}${attempt}`,
        { make, trace: derived.address, isGuarded: false },
        options,
      )
    },
    updateCollection: (key, { collection, revision, terms }, options) => {
      const mint = addressOf(collection)
      const limit = limitOf(collection, terms)
      const more = (parts: MintParts) => [createLimitInstruction(parts, mint, limit)]
      return update(key, { mint, revision }, () => toOnChain(terms), more, options)
    },
    mint: (key, input, options) => {
      const [first] = input.tokens
      if (first?.isCompressed) return mintCompressed(key, input, first, options)
      if (first && input.collection.standard === 'erc-1155') return mintCopies(key, input, first, options)
      const trace = first && deriveToken(operator, addressOf(input.collection), first.tokenId).address
      // The mint of the token is derived from its id, so it cannot be created twice.
      const make: Make = (parts) => makeMint(parts, input)
      return send(key, { make, trace, isGuarded: false }, options)
    },
    updateToken: (key, { collection, tokenId, revision, name, symbol, uri }, options) => {
      const mint = deriveToken(operator, addressOf(collection), tokenId).address
      const toMetadata = ({ metadata }: ServiceMint) =>
        toOnChain({ name: name ?? metadata.name, symbol: symbol ?? metadata.symbol, uri })
      return update(key, { mint, revision }, toMetadata, () => [], options)
    },
  }
}

/** The chain has a newer change than the one to write. */
class NewerError extends Error {}
