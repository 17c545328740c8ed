import { type LineItemInput, parseCollectionLocator } from 'kassa/schema'
import { ServiceError } from '../errors.js'

/** A requested item with its parsed locator. */
export type AskedItem = {
  collectionId: string
  templateId?: string
  quantity: number
  callData: Record<string, unknown>
}

/**
 * Reads the items that a client requests.
 *
 * @throws {@link ServiceError} `input-invalid` for a locator of another service.
 */
export const readLineItems = (namespace: string, inputs: readonly LineItemInput[]): AskedItem[] =>
  inputs.map(({ collectionLocator, callData = {} }, index) => {
    const parts = parseCollectionLocator(collectionLocator)
    if (parts?.namespace !== namespace) {
      const message = `lineItems[${index}].collectionLocator: expected ${namespace}:<collectionId> or ${namespace}:<collectionId>:<templateId>`
      throw new ServiceError('input-invalid', message)
    }
    const { namespace: _, ...goods } = parts
    return { ...goods, quantity: callData.quantity ?? 1, callData }
  })
