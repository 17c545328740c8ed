import {
  type AskedTerms,
  assertTotalPrice,
  explainChainAddress,
  type LineItemRequest,
  listSaleLimits,
  type PricedCollection,
  type PricedTemplate,
  type Recipient,
} from 'kassa/engine'
import type { Deps } from '#base/deps.js'
import { checkInput, ServiceError } from '#base/errors.js'
import type { ChainPort } from '#base/ports/chain.js'
import { countAvailable } from '#goods/collections/countAvailable.js'
import { findCollection, findMerchantTerms, type MerchantTerms } from '#goods/collections/findCollection.js'
import { toCollectionRef } from '#goods/collections/viewCollection.js'
import { findKeptTemplate, type Template } from '#goods/templates/findTemplate.js'
import { requireCustody } from '#identity/wallets/custodialWallet.js'
import { isListed } from './isListed.js'
import { findWalletKey, readHeld } from './saleCounts.js'

const readWallet = ({ chains }: Pick<Deps, 'chains'>, chain: string, recipient: Recipient | undefined) => {
  const port = chains.get(chain)
  if (!recipient || !port) return undefined
  if (recipient.walletAddress === undefined) {
    requireCustody(port, 'recipient.email')
    return undefined
  }
  const address = port.parseAddress(recipient.walletAddress)
  if (address !== undefined) return address
  const fault = explainChainAddress(recipient.walletAddress, chain)
  throw new ServiceError('input-invalid', `recipient.walletAddress: ${fault}`)
}

const priceTemplate = ({ id, metadata, deletedAt, ...supply }: Template): PricedTemplate => {
  const { name = '', description = '', image: imageUrl = '' } = metadata
  const availableCount = deletedAt ? 0 : countAvailable(supply)
  return { id, name, description, imageUrl, availableCount }
}

/** Memoizes an async call by its key. */
const memoize = <Value>(read: (key: string) => Promise<Value>): ((key: string) => Promise<Value>) => {
  const values = new Map<string, Promise<Value>>()
  return (key) => {
    const value = values.get(key) ?? read(key)
    values.set(key, value)
    return value
  }
}

/** Finds what the rules of a sale depend on: the present phase's allow-list, and what counts already. */
const findSold = async (
  { db, chains, now }: Pick<Deps, 'db' | 'chains' | 'now'>,
  asked: Pick<AskedTerms, 'projectId' | 'recipient' | 'payment' | 'promotionCode' | 'allowListProof'>,
  { id, chain, sale }: MerchantTerms,
  walletAddress: string | undefined,
): Promise<Pick<LineItemRequest, 'walletKey' | 'held' | 'isListed'>> => {
  if (!sale) return {}
  const nowMs = now()
  const { projectId, recipient, payment, promotionCode, allowListProof: proof } = asked
  const listed = await isListed({ db, chain: chains.get(chain) }, sale, {
    address: walletAddress,
    proof,
    nowMs,
  })
  const walletKey =
    sale.maxPerBuyer?.wallet === undefined ? undefined : await findWalletKey(db, asked, walletAddress)
  const buyer = { wallet: walletKey, recipient, payment }
  const keys = listSaleLimits(sale, buyer, { promotionCode, nowMs }).flatMap(({ key }) => key ?? [])
  const held = await readHeld(db, { projectId, id }, keys)
  return {
    held,
    ...(walletKey !== undefined && { walletKey }),
    ...(listed !== undefined && { isListed: listed }),
  }
}

/** A requested item before the chain of its payment is chosen, on which its proceeds have a recipient. */
export type Goods = Omit<LineItemRequest, 'payee'> & {
  collection: PricedCollection &
    Pick<MerchantTerms, 'paymentRecipient' | 'fungibility' | 'isSubscription' | 'isTransferable'>
}

/**
 * Looks up the requested items: collection and template, supply, and the buyer's wallet on its chain.
 *
 * @param isFirst - Whether the client just sent the items. Only then must `callData.totalPrice` be today's
 * price.
 * @throws {@link ServiceError} `not-found`, `input-invalid`.
 */
export const findGoods = async (
  deps: Pick<Deps, 'db' | 'chains' | 'notices' | 'log' | 'now'>,
  asked: Pick<
    AskedTerms,
    'projectId' | 'items' | 'recipient' | 'payment' | 'promotionCode' | 'allowListProof'
  >,
  isFirst: boolean,
): Promise<Goods[]> => {
  const { db } = deps
  const { projectId } = asked
  // An order may hold 50 line items of one collection.
  const getCollection = memoize(async (id) => {
    const known = await findMerchantTerms(deps, projectId, id)
    // Rules of a sale are read anew, so that a sale that was just ended sells no more.
    return known?.sale ? findCollection(db, projectId, id) : known
  })
  const getAvailableCount = memoize(async (collectionId) => {
    if ((await getCollection(collectionId))?.supplyLimit === null) return undefined
    const counted = await findCollection(db, projectId, collectionId)
    return counted && countAvailable(counted)
  })
  const getTemplate = memoize(async (key) => {
    const [collectionId = '', templateId = ''] = key.split(':')
    const template = await findKeptTemplate(db, { projectId, collectionId, templateId })
    // An order that names a deleted template keeps its other items.
    if (isFirst && template?.deletedAt) return undefined
    return template && priceTemplate(template)
  })
  const requests: Goods[] = []
  for (const [index, item] of asked.items.entries()) {
    const collection = await getCollection(item.collectionId)
    if (!collection) throw new ServiceError('not-found', `Collection ${item.collectionId} not found`)
    const { templateId } = item
    const template =
      templateId === undefined ? undefined : await getTemplate(`${collection.id}:${templateId}`)
    if (templateId !== undefined && !template) {
      throw new ServiceError('not-found', `Template ${templateId} not found`)
    }
    if (isFirst) checkInput(() => assertTotalPrice(collection, item, index))
    const walletAddress = readWallet(deps, collection.chain, asked.recipient)
    requests.push({
      collection: {
        ...collection,
        currencies: collection.paymentCurrencies,
        availableCount: await getAvailableCount(collection.id),
        isChainEnabled: deps.chains.get(collection.chain) !== undefined,
      },
      ...(template && { template }),
      quantity: item.quantity,
      callData: item.callData,
      ...(walletAddress !== undefined && { walletAddress }),
      ...(await findSold(deps, asked, collection, walletAddress)),
    })
  }
  return requests
}

/** Finds a collection whose proceeds have no address on a chain. They would have no owner there. */
export const findUnpayable = (goods: readonly Goods[], chain: ChainPort): Goods['collection'] | undefined =>
  goods.find(
    ({ collection: { paymentRecipient } }) =>
      paymentRecipient !== null && chain.parseAddress(paymentRecipient) === undefined,
  )?.collection

/** Names the recipient of each item's proceeds, in the canonical form of the payment's chain. */
export const withPayees = (goods: readonly Goods[], chain: ChainPort): LineItemRequest[] =>
  goods.map((item) => {
    const { paymentRecipient } = item.collection
    const payee = paymentRecipient === null ? undefined : chain.parseAddress(paymentRecipient)
    return { ...item, ...(payee !== undefined && { payee }) }
  })

/** Asks the recipients that are contracts whether they can hold the items. Each is asked once a collection. */
const withRefusals = (
  { chains }: Pick<Deps, 'chains'>,
  projectId: string,
  goods: readonly Goods[],
): Promise<Goods[]> => {
  const known = new Map<string, Promise<string | undefined>>()
  const ask = ({ collection, walletAddress: recipient }: Goods): Promise<string | undefined> => {
    const port = chains.get(collection.chain)
    if (!port?.explainRecipient || recipient === undefined) return Promise.resolve(undefined)
    const asked =
      known.get(collection.id) ??
      port.explainRecipient({ collection: toCollectionRef({ ...collection, projectId }), recipient })
    known.set(collection.id, asked)
    return asked
  }
  return Promise.all(
    goods.map(async (item) => {
      const reason = await ask(item)
      return reason === undefined ? item : { ...item, refusal: `recipient.walletAddress: ${reason}` }
    }),
  )
}

/**
 * Looks up the requested items, and the recipients of their proceeds on the chain of the payment.
 *
 * @throws {@link ServiceError} `not-found`, `input-invalid`, also if a recipient has no address there.
 */
export const findLineItems = async (
  deps: Parameters<typeof findGoods>[0],
  asked: Parameters<typeof findGoods>[1],
  isFirst: boolean,
): Promise<LineItemRequest[]> => {
  const goods = await withRefusals(deps, asked.projectId, await findGoods(deps, asked, isFirst))
  const { chain } = asked.payment
  const port = deps.chains.get(chain)
  if (!port) return goods
  const unpayable = findUnpayable(goods, port)
  if (!unpayable) return withPayees(goods, port)
  const message = `payment.method: ${unpayable.name} cannot be paid on ${chain}: the recipient of its payments has no address there`
  throw new ServiceError('input-invalid', message)
}
