// Made by `npm run fix` out of the schemas it imports; not to be edited.
import type { Action } from './action.js'
import type { Collection, CollectionList } from './collection.js'
import type { Nft, NftList } from './nft.js'
import { anything, list, maybe, number, object, type Reader, reader, something, text, truth } from './read.js'
import type { StoredFile } from './storedFile.js'
import type { Template, TemplateList } from './template.js'

const isStoredFile = /* @__PURE__ */ object({ url: text, gatewayUrl: text, contentType: text, size: number })

/** Reads what the schema StoredFile describes. */
export const readStoredFile: Reader<StoredFile> = /* @__PURE__ */ reader(isStoredFile)

const isTemplate = /* @__PURE__ */ object({
  templateId: text,
  metadata: object({ name: maybe(text), image: maybe(text), description: maybe(text), symbol: maybe(text) }),
  onChain: maybe(object({ tokenId: maybe(number) })),
  supply: maybe(object({ limit: maybe(number), minted: maybe(number) })),
})

/** Reads what the schema Template describes. */
export const readTemplate: Reader<Template> = /* @__PURE__ */ reader(isTemplate)

const isTemplateList = /* @__PURE__ */ list(isTemplate)

/** Reads what the schema TemplateList describes. */
export const readTemplateList: Reader<TemplateList> = /* @__PURE__ */ reader(isTemplateList)

const isNft = /* @__PURE__ */ object({
  id: text,
  metadata: maybe(
    object({
      name: maybe(text),
      image: maybe(text),
      description: maybe(text),
      animation_url: maybe(text),
      attributes: maybe(list(object({ trait_type: maybe(text), value: something }))),
    }),
  ),
  templateId: maybe(text),
  onChain: object({
    status: text,
    chain: text,
    contractAddress: maybe(text),
    tokenId: maybe(text),
    mintHash: maybe(text),
    owner: maybe(text),
    txId: maybe(text),
  }),
  subscription: maybe(object({ expiresAt: text })),
  actionId: maybe(text),
})

/** Reads what the schema Nft describes. */
export const readNft: Reader<Nft> = /* @__PURE__ */ reader(isNft)

const isNftList = /* @__PURE__ */ list(isNft)

/** Reads what the schema NftList describes. */
export const readNftList: Reader<NftList> = /* @__PURE__ */ reader(isNftList)

const isAction = /* @__PURE__ */ object({
  actionId: text,
  action: text,
  status: text,
  data: object({
    chain: maybe(text),
    txId: maybe(text),
    collection: maybe(object({ id: text, contractAddress: maybe(text), mintAddress: maybe(text) })),
    recipient: maybe(object({ walletAddress: maybe(text), email: maybe(text) })),
    token: maybe(
      object({
        id: text,
        owner: maybe(object({ walletAddress: maybe(text) })),
        tokenId: maybe(text),
        mintHash: maybe(text),
      }),
    ),
    changes: maybe(list(text)),
    contractArguments: anything,
    error: maybe(
      object({
        reason: text,
        message: maybe(text),
        revertReason: maybe(text),
        callInfo: maybe(object({ functionName: maybe(text), arguments: anything, calldata: maybe(text) })),
      }),
    ),
  }),
  startedAt: text,
  completedAt: maybe(text),
  resource: maybe(text),
})

/** Reads what the schema Action describes. */
export const readAction: Reader<Action> = /* @__PURE__ */ reader(isAction)

const isCollection = /* @__PURE__ */ object({
  id: text,
  metadata: object({
    name: maybe(text),
    description: maybe(text),
    imageUrl: maybe(text),
    symbol: maybe(text),
  }),
  fungibility: maybe(text),
  onChain: object({ chain: text, type: maybe(text), contractAddress: maybe(text), mintAddress: maybe(text) }),
  transferable: maybe(truth),
  supplyLimit: maybe(number),
  supply: maybe(object({ minted: number, reserved: number })),
  payments: maybe(
    object({
      price: text,
      currency: maybe(text),
      currencies: maybe(list(text)),
      recipientAddress: maybe(text),
      royaltyBasisPoints: maybe(number),
      requires: maybe(list(text)),
    }),
  ),
  sale: maybe(
    object({
      startsAt: maybe(text),
      endsAt: maybe(text),
      phases: maybe(
        list(
          object({
            name: text,
            startsAt: maybe(text),
            allowList: maybe(
              object({ addressCount: maybe(number), listId: maybe(text), merkleRoot: maybe(text) }),
            ),
            maxTokens: maybe(number),
          }),
        ),
      ),
      maxPerBuyer: maybe(object({ wallet: maybe(number), email: maybe(number), payer: maybe(number) })),
      promotionCodes: maybe(
        list(
          object({
            code: text,
            percent: maybe(text),
            amount: maybe(text),
            limit: maybe(number),
            expiresAt: maybe(text),
          }),
        ),
      ),
    }),
  ),
  subscription: maybe(object({ enabled: truth })),
  actionId: maybe(text),
})

/** Reads what the schema Collection describes. */
export const readCollection: Reader<Collection> = /* @__PURE__ */ reader(isCollection)

const isCollectionList = /* @__PURE__ */ object({ results: list(isCollection) })

/** Reads what the schema CollectionList describes. */
export const readCollectionList: Reader<CollectionList> = /* @__PURE__ */ reader(isCollectionList)
