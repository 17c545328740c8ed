import {
  type Address,
  decodeFunctionData,
  encodeEventTopics,
  encodeFunctionData,
  getAddress,
  type Hex,
  zeroHash,
} from 'viem'
import type { ChainPort } from '#base/ports/chain.js'
import type { CollectionRef, CollectionTerms, TokenMint } from '#base/ports/collections.js'
import { firstKey, type WriteOptions, type WriteResult } from '#base/ports/write.js'
import { Collection721 } from '../artifacts/Collection721.js'
import { CollectionFactory } from '../artifacts/CollectionFactory.js'
import { getCollectionAddress, type getDeployments, toReference } from '../connection/addresses.js'
import type { OutboxCall, Sharing } from '../outbox/outbox.js'
import { type Refusal, refuse } from '../outbox/toResult.js'
import type { TokenToReceive } from './explainRecipient.js'
import { mintTrace } from './mintTrace.js'
import { collectionTrace, onlyPart, type WriteTrace } from './writeTrace.js'

/**
 * Returns the trace of a collection's update. Once the chain has a newer revision, this update counts as
 * done, because nothing of it is left to do.
 */
const collectionUpdateTrace = (address: Address, wanted: bigint): WriteTrace => ({
  address,
  look: async (client) => {
    const revision = await client.readContract({ address, ...Collection721, functionName: 'revision' })
    if (revision < wanted) return { state: 'absent' }
    const args = { revision }
    return {
      state: 'done',
      parts: onlyPart(encodeEventTopics({ ...Collection721, eventName: 'CollectionUpdated', args })),
    }
  },
})

/** Returns the trace of a token's update, found in the same way. */
const tokenUpdateTrace = (address: Address, tokenId: bigint, wanted: bigint): WriteTrace => ({
  address,
  look: async (client) => {
    const question = { address, ...Collection721, functionName: 'tokenRevision', args: [tokenId] } as const
    const revision = await client.readContract(question)
    if (revision < wanted) return { state: 'absent' }
    const args = { tokenId, revision }
    return {
      state: 'done',
      parts: onlyPart(encodeEventTopics({ ...Collection721, eventName: 'TokenUpdated', args })),
    }
  },
})

/** A call to send, the trace that it leaves on the chain, and whether it may share a transaction. */
export type Write = {
  makeCall: () => Promise<OutboxCall | Refusal>
  trace: WriteTrace | undefined
  sharing?: Sharing
}

const toMint = ({ recipient, tokenId, uri, mintKey, template, expiresAt }: TokenMint) => ({
  to: getAddress(recipient),
  tokenId,
  uri,
  mintId: toReference(mintKey),
  template: template ? toReference(template.key) : zeroHash,
  templateLimit: template?.limit ?? 0n,
  expiresAt: expiresAt ?? 0n,
})

type Mints = ReturnType<typeof toMint>[]

const readMints = (data: Hex): Mints => {
  const { functionName, args } = decodeFunctionData({ ...Collection721, data })
  if (functionName !== 'mint') throw new Error(`${functionName} is not a mint`)
  return [...args[0]]
}

const encodeMints = (mints: Mints): Hex =>
  encodeFunctionData({ ...Collection721, functionName: 'mint', args: [mints] })

/** Mints of one collection share a transaction: each token is minted once. */
const shareMints = (to: Address): Sharing => ({
  name: `mint:${to}`,
  join: (calldata) => encodeMints(calldata.flatMap(readMints)),
})

/** What writes to collections need. */
export type CollectionWritesOptions = {
  deployments: ReturnType<typeof getDeployments>
  minter: Address
  send(key: string, write: Write, options?: WriteOptions): Promise<WriteResult>
  /**
   * Throws if there is no contract at the address: a call to an address without code succeeds and does
   * nothing.
   */
  expectContract(address: Address): Promise<void>
  /** Explains why an address cannot hold a token, or returns `undefined` if it can. */
  explainRecipient(token: TokenToReceive): Promise<string | undefined>
}

/** Few enough for the gas limit of one transaction on every chain. */
const maxMints = 50

/** The part of a chain port that writes collections and tokens. */
export type CollectionWrites = Pick<
  ChainPort,
  | 'collectionAddress'
  | 'tokenAddress'
  | 'countMints'
  | 'explainRecipient'
  | 'createCollection'
  | 'updateCollection'
  | 'mint'
  | 'updateToken'
>

/** Converts terms to the form that the contract takes. */
const toTerms = (terms: CollectionTerms, operator: Address) => ({
  ...terms,
  owner: terms.owner === undefined ? operator : getAddress(terms.owner),
  royaltyBasisPoints: terms.royaltyBasisPoints ?? 0,
})

/**
 * Creates and updates collections and tokens on an EVM chain. The calls are the same for every standard; the
 * contracts differ.
 */
export const createCollectionWrites = (parts: CollectionWritesOptions): CollectionWrites => {
  const { minter, send, expectContract, explainRecipient } = parts
  const { collectionFactory, collectionCode } = parts.deployments

  const addressOf = ({ key, standard }: CollectionRef): Address =>
    getCollectionAddress(collectionFactory.address, collectionCode[standard].address, toReference(key))

  /** Returns why a recipient of tokens cannot hold them, or `undefined` if all can. Each is asked once. */
  const findRefusal = async (
    { standard }: CollectionRef,
    contract: Address,
    tokens: readonly TokenMint[],
  ): Promise<string | undefined> => {
    const byRecipient = new Map(tokens.map((token) => [token.recipient, token]))
    const reasons = await Promise.all(
      [...byRecipient.values()].map(({ recipient, tokenId }) =>
        explainRecipient({ contract, standard, minter, recipient, tokenId }),
      ),
    )
    return reasons.find((reason) => reason !== undefined)
  }

  const getCreateCall = ({ key, standard }: CollectionRef, terms: CollectionTerms): OutboxCall => {
    const init = {
      ...Collection721,
      functionName: 'initialize',
      args: [minter, toTerms(terms, minter)],
    } as const
    const args = [toReference(key), collectionCode[standard].address, encodeFunctionData(init)] as const
    const data = encodeFunctionData({ ...CollectionFactory, functionName: 'create', args })
    return { to: collectionFactory.address, data }
  }

  return {
    collectionAddress: addressOf,
    tokenAddress: () => undefined,
    countMints: (_, tokens) => Math.min(maxMints, tokens.length),
    explainRecipient: ({ collection, recipient }) =>
      explainRecipient({
        contract: addressOf(collection),
        standard: collection.standard,
        minter,
        recipient,
      }),
    // The key comes from the collection, so a collection is created once under any caller's key.
    createCollection: (key, { collection, terms }, options) => {
      const attempt = key.slice(firstKey(key).length)
      const code = {
        salt: toReference(collection.key),
        implementation: collectionCode[collection.standard].address,
      }
      return send(
        `${collection.standard}:${collection.key}${attempt}`,
        {
          makeCall: async () => getCreateCall(collection, terms),
          trace: collectionTrace(collectionFactory.address, addressOf(collection), code),
        },
        options,
      )
    },
    updateCollection: (key, { collection, revision, terms }, options) => {
      const to = addressOf(collection)
      const makeCall = async () => {
        await expectContract(to)
        const args = [revision, toTerms(terms, minter)] as const
        return { to, data: encodeFunctionData({ ...Collection721, functionName: 'update', args }) }
      }
      return send(key, { makeCall, trace: collectionUpdateTrace(to, revision) }, options)
    },
    mint: (key, input, options) => {
      const to = addressOf(input.collection)
      const makeCall = async () => {
        await expectContract(to)
        const refusal = await findRefusal(input.collection, to, input.tokens)
        const data = encodeMints(input.tokens.map(toMint))
        return refusal === undefined ? { to, data } : refuse(refusal, data)
      }
      return send(key, { makeCall, trace: mintTrace(to, input), sharing: shareMints(to) }, options)
    },
    updateToken: (key, { collection, tokenId, revision, uri, expiresAt = 0n }, options) => {
      const to = addressOf(collection)
      const makeCall = async () => {
        await expectContract(to)
        const args = [tokenId, revision, uri, expiresAt] as const
        return { to, data: encodeFunctionData({ ...Collection721, functionName: 'updateToken', args }) }
      }
      return send(key, { makeCall, trace: tokenUpdateTrace(to, tokenId, revision) }, options)
    },
  }
}
