import * as z from 'zod/mini'
import { aptosFault, isOnAptos, walletAddressPattern } from './limits.js'

const id = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/

/** A caller's own id for a collection or a token, for use in paths and locators. */
export const ChosenId = z
  .string()
  .check(
    z.regex(
      id,
      'expected 1 to 128 letters, digits, dots, underscores and hyphens, the first a letter or digit',
    ),
  )
export type ChosenId = z.infer<typeof ChosenId>

/** The id of a template, for use in paths and locators. */
export const TemplateId = z
  .string()
  .check(
    z.regex(
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
      'expected 1 to 64 letters, digits, dots, underscores and hyphens, the first a letter or digit',
    ),
  )
export type TemplateId = z.infer<typeof TemplateId>

/** A collection, or one template in it: `<namespace>:<collectionId>` or `<namespace>:<collectionId>:<templateId>`. */
export const CollectionLocator = z.string().check(
  z.refine(
    (text) => parseCollectionLocator(text) !== undefined,
    'expected kassa:<collectionId> or kassa:<collectionId>:<templateId>, where kassa is the namespace of the service',
  ),
  z.maxLength(300, 'too long'),
)
export type CollectionLocator = z.infer<typeof CollectionLocator>

/** The parts of a {@link CollectionLocator}. */
export type CollectionLocatorParts = { namespace: string; collectionId: string; templateId?: string }

/**
 * Parses a collection locator.
 *
 * @returns The parts, or undefined when the text is not a collection locator.
 * @source interface.md "Other locators"; answers.md "Create order, edit order"
 */
export const parseCollectionLocator = (text: string): CollectionLocatorParts | undefined => {
  const [namespace, collectionId, templateId, ...rest] = text.split(':')
  if (rest.length || !namespace || !/^[a-z][a-z0-9-]{0,31}$/.test(namespace)) return undefined
  if (!collectionId || !id.test(collectionId)) return undefined
  if (templateId === undefined) return { namespace, collectionId }
  return id.test(templateId) ? { namespace, collectionId, templateId } : undefined
}

/** An account on an EVM chain (`0x` and 40 hex digits) or on Solana (base58). */
export const WalletAddress = z.string().check(
  z.regex(walletAddressPattern, {
    error: ({ input }) => (isOnAptos(String(input)) ? aptosFault : 'expected a wallet address'),
  }),
)
export type WalletAddress = z.infer<typeof WalletAddress>
