import {
  type Address,
  decodeAbiParameters,
  encodeFunctionData,
  getAbiItem,
  getAddress,
  type Hex,
  prepareEncodeFunctionData,
  zeroHash,
} from 'viem'
import type { CollectionWrites } from '#base/ports/chainParts.js'
import type { CollectionRef, CollectionTerms, TokenMint } from '#base/ports/collections.js'
import { firstKey } from '#base/ports/write.js'
import { Collection721 } from '../artifacts/Collection721.js'
import { CollectionFactory } from '../artifacts/CollectionFactory.js'
import type { ChainParts } from '../chainParts.js'
import { toReference } from '../connection/addresses.js'
import type { Operator } from '../operator.js'
import type { SendWrite } from '../outbox/createSendWrite.js'
import type { OutboxCall, Sharing } from '../outbox/outboxCall.js'
import { refuse } from '../outbox/toResult.js'
import { createExpectContract } from './createExpectContract.js'
import { explainRecipient, type TokenToReceive } from './explainRecipient.js'
import { mintTrace } from './mintTrace.js'
import { collectionUpdateTrace, tokenUpdateTrace } from './updateTraces.js'
import { collectionTrace } from './writeTrace.js'

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

/** The function that mints, with its selector: in a sale it would be derived again for every token. */
const mintFunction = prepareEncodeFunctionData({ ...Collection721, functionName: 'mint' })
const mintInputs = getAbiItem({ ...Collection721, name: 'mint' }).inputs

const readMints = (data: Hex): Mints => {
  const { functionName: selector } = mintFunction
  if (!data.startsWith(selector)) throw new Error(`${data.slice(0, selector.length)} is not a mint`)
  const [mints] = decodeAbiParameters(mintInputs, `0x${data.slice(selector.length)}`)
  return [...mints]
}

const encodeMints = (mints: Mints): Hex => encodeFunctionData({ ...mintFunction, args: [mints] })

/** Mints of one collection share a transaction: each token is minted once. */
const shareMints = (to: Address): Sharing => ({
  name: `mint:${to}`,
  join: (calldata) => encodeMints(calldata.flatMap(readMints)),
})

/** Few enough for the gas limit of one transaction on every chain. */
const maxMints = 50

/** Converts terms to the form that the contract takes. */
const toTerms = (terms: CollectionTerms, operator: Address) => ({
  ...terms,
  owner: terms.owner === undefined ? operator : getAddress(terms.owner),
  royaltyBasisPoints: terms.royaltyBasisPoints ?? 0,
})

/** Returns the call that creates a collection. The calls are the same for every standard; the contracts differ. */
const getCreateCall = (
  { account, deployments }: Operator,
  { key, standard }: CollectionRef,
  terms: CollectionTerms,
): OutboxCall => {
  const { collectionFactory, collectionCode } = deployments
  const init = {
    ...Collection721,
    functionName: 'initialize',
    args: [account.address, toTerms(terms, account.address)],
  } as const
  const args = [toReference(key), collectionCode[standard].address, encodeFunctionData(init)] as const
  const data = encodeFunctionData({ ...CollectionFactory, functionName: 'create', args })
  return { to: collectionFactory.address, data }
}

/** Returns why a recipient of tokens cannot hold them, or `undefined` if all can. Each is asked once. */
const findRefusal = async (
  { account, use }: ChainParts,
  { standard, contract }: Pick<TokenToReceive, 'standard' | 'contract'>,
  tokens: readonly Pick<TokenToReceive, 'recipient' | 'tokenId'>[],
): Promise<string | undefined> => {
  const byRecipient = new Map(tokens.map((token) => [token.recipient, token]))
  const minter = account.address
  const reasons = await Promise.all(
    [...byRecipient.values()].map((token) =>
      use(({ batching }) => explainRecipient(batching, { ...token, contract, standard, minter })),
    ),
  )
  return reasons.find((reason) => reason !== undefined)
}

/** Creates the part of a port that creates and updates collections and tokens on an EVM chain. */
export const createCollectionWrites = (parts: ChainParts, send: SendWrite): CollectionWrites => {
  const { account, deployments, addressOf } = parts
  const expectContract = createExpectContract(parts)
  return {
    collectionAddress: addressOf,
    tokenAddress: () => undefined,
    countMints: (_, tokens) => Math.min(maxMints, tokens.length),
    explainRecipient: ({ collection, recipient }) => {
      const { standard } = collection
      return findRefusal(parts, { standard, contract: addressOf(collection) }, [{ recipient }])
    },
    // The key comes from the collection, so a collection is created once under any caller's key.
    createCollection: (key, { collection, terms }, options) => {
      const attempt = key.slice(firstKey(key).length)
      const { collectionFactory, collectionCode } = deployments
      const code = {
        salt: toReference(collection.key),
        implementation: collectionCode[collection.standard].address,
      }
      return send(
        `${collection.standard}:${collection.key}${attempt}`,
        {
          makeCall: async () => getCreateCall(parts, collection, terms),
          trace: collectionTrace(collectionFactory.address, addressOf(collection), code),
        },
        options,
      )
    },
    updateCollection: (key, { collection, revision, terms }, options) => {
      const to = addressOf(collection)
      const makeCall = async () => {
        await expectContract(to)
        const args = [revision, toTerms(terms, account.address)] as const
        return { to, data: encodeFunctionData({ ...Collection721, functionName: 'update', args }) }
      }
      return send(key, { makeCall, trace: collectionUpdateTrace(to, revision) }, options)
    },
    mint: (key, input, options) => {
      const to = addressOf(input.collection)
      const makeCall = async () => {
        await expectContract(to)
        const { standard } = input.collection
        const refusal = await findRefusal(parts, { standard, contract: to }, input.tokens)
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
