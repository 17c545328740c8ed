import { type LineItemInput, parseCollectionLocator } from 'kassa/schema'
import { ServiceError } from '../errors.js'

/** One thing a client asks for, its locator taken apart. */
export type AskedItem = { collectionId: string; quantity: number; callData: Record<string, unknown> }

/**
 * Reads what a client wants to buy.
 *
 * @throws {@link ServiceError} `input-invalid` for a locator of another service, `not-found` for a template.
 */
export const readLineItems = (namespace: string, inputs: readonly LineItemInput[]): AskedItem[] =>
  inputs.map(({ collectionLocator, callData = {} }, index) => {
    const parts = parseCollectionLocator(collectionLocator)
    if (parts?.namespace !== namespace) {
      const message = `lineItems[${index}].collectionLocator: expected ${namespace}:<collectionId>`
      throw new ServiceError('input-invalid', message)
    }
    if (parts.templateId !== undefined) {
      throw new ServiceError('not-found', `Template ${parts.templateId} not found`)
    }
    return { collectionId: parts.collectionId, quantity: callData.quantity ?? 1, callData }
  })
