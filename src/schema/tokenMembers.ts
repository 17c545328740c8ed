/**
 * The closed lists of collections, tokens and events.
 *
 * @source interface.md "Collection", "Events"; answers.md "Mint, NFTs, templates, collections", "Actions", "Webhooks"
 */

/** Whether every token of a collection is unique. */
export const fungibilities = ['non-fungible', 'semi-fungible'] as const

/** The standards of a collection's contract on an EVM chain. */
export const tokenStandards = ['erc-721', 'erc-1155', 'erc-5643'] as const

/** The standard a collection's tokens follow, as `onChain.type` names it. `token-2022` is that of Solana. */
export const collectionStandards = [...tokenStandards, 'token-2022'] as const

/** The statuses of a token. A burned one is gone from its chain. */
export const mintStatuses = ['pending', 'success', 'failed', 'burned'] as const

/** The changes of a chain that have an action id. */
export const actionNames = [
  'collections.create',
  'collections.update',
  'nfts.create',
  'nfts.update',
  'nfts.delete',
] as const

/** The statuses of an action. */
export const actionStatuses = ['pending', 'succeeded', 'failed'] as const

/** The types of webhook events. */
export const webhookEventTypes = [
  'collections.create.succeeded',
  'collections.create.failed',
  'collections.update.succeeded',
  'collections.update.failed',
  'nfts.create.succeeded',
  'nfts.create.failed',
  'nfts.update.succeeded',
  'nfts.delete.succeeded',
  'nfts.delete.failed',
  'orders.quote.created',
  'orders.quote.updated',
  'orders.payment.succeeded',
  'orders.payment.failed',
  'orders.payment.captured',
  'orders.payment.voided',
  'orders.payment.expired',
  'orders.delivery.initiated',
  'orders.delivery.completed',
  'orders.delivery.failed',
  'orders.shipped',
  'orders.shipment.cancelled',
  'orders.refund.succeeded',
  'orders.refund.failed',
  'wallets.transaction.succeeded',
  'wallets.transaction.failed',
] as const

/** Whether every token of a collection is unique. */
export type Fungibility = (typeof fungibilities)[number]
/** The standard of a collection's contract on an EVM chain. */
export type TokenStandard = (typeof tokenStandards)[number]
/** The standard a collection's tokens follow. */
export type CollectionStandard = (typeof collectionStandards)[number]
/** The status of a token. */
export type MintStatus = (typeof mintStatuses)[number]
/** A change of a chain that has an action id. */
export type ActionName = (typeof actionNames)[number]
/** The status of an action. */
export type ActionStatus = (typeof actionStatuses)[number]
/** A type of webhook event. */
export type WebhookEventType = (typeof webhookEventTypes)[number]
