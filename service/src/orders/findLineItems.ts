import { countAvailable } from '../collections/countAvailable.js'
import { type Collection, findCollection } from '../collections/findCollection.js'
import type { Deps } from '../deps.js'
import { ServiceError } from '../errors.js'
import { equalsDecimal, multiplyDecimal } from './convert.js'
import type { Recipient } from './order.js'
import type { LineItemRequest } from './quote.js'
import type { AskedItem } from './readLineItems.js'

const assertTotalPrice = ({ price, priceCurrency }: Collection, item: AskedItem, index: number): void => {
  const given = item.callData.totalPrice
  if (typeof given !== 'string' || price === null) return
  const expected = multiplyDecimal(price, item.quantity)
  if (equalsDecimal(given, expected)) return
  throw new ServiceError(
    'input-invalid',
    `lineItems[${index}].callData.totalPrice: expected ${expected} ${priceCurrency} (${price} × ${item.quantity}), got ${given}`,
  )
}

const readWallet = ({ chains }: Pick<Deps, 'chains'>, chain: string, recipient: Recipient | undefined) => {
  const port = chains.get(chain)
  if (recipient?.walletAddress === undefined || !port) return undefined
  const address = port.parseAddress(recipient.walletAddress)
  if (address !== undefined) return address
  throw new ServiceError('input-invalid', `recipient.walletAddress: expected an address on ${chain}`)
}

/**
 * Looks up what is asked for: collection, supply, and the recipient's wallet on its chain.
 *
 * @param isFirst - Whether the client just sent this: only then must `callData.totalPrice` be today's price.
 * @throws {@link ServiceError} `not-found`, `input-invalid`.
 */
export const findLineItems = async (
  deps: Pick<Deps, 'db' | 'chains'>,
  asked: { projectId: string; items: readonly AskedItem[]; recipient?: Recipient | undefined },
  isFirst: boolean,
): Promise<LineItemRequest[]> => {
  const requests: LineItemRequest[] = []
  for (const [index, item] of asked.items.entries()) {
    const collection = await findCollection(deps.db, asked.projectId, item.collectionId)
    if (!collection) throw new ServiceError('not-found', `Collection ${item.collectionId} not found`)
    if (isFirst) assertTotalPrice(collection, item, index)
    const walletAddress = readWallet(deps, collection.chain, asked.recipient)
    const availableCount = await countAvailable(deps.db, collection)
    requests.push({
      collection: {
        ...collection,
        availableCount,
        isChainEnabled: deps.chains.get(collection.chain) !== undefined,
      },
      quantity: item.quantity,
      callData: item.callData,
      ...(walletAddress !== undefined && { walletAddress }),
    })
  }
  return requests
}
