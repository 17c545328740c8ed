/**
 * The closed lists of collections, tokens and events.
 *
 * @source interface.md "Collection", "Events"; answers.md "Mint, NFTs, templates, collections", "Actions", "Webhooks"
 */

/** Whether every token of a collection is one of its kind. */
export const fungibilities = ['non-fungible', 'semi-fungible'] as const

/** The standard a collection's tokens follow, as `onChain.type` names it. */
export const tokenStandards = ['erc-721', 'erc-1155', 'erc-5643'] as const

/** How far a token is on its way onto its chain. */
export const mintStatuses = ['pending', 'success', 'failed'] as const

/** What changes a chain and is followed by its action id. */
export const actionNames = ['collections.create', 'collections.update', 'nfts.create', 'nfts.update'] as const

/** How far an action is. */
export const actionStatuses = ['pending', 'succeeded', 'failed'] as const

/** What a webhook endpoint can be told of. */
export const webhookEventTypes = [
  'collections.create.succeeded',
  'collections.create.failed',
  'collections.update.succeeded',
  'collections.update.failed',
  'nfts.create.succeeded',
  'nfts.create.failed',
  'nfts.update.succeeded',
  'orders.quote.created',
  'orders.quote.updated',
  'orders.payment.succeeded',
  'orders.payment.failed',
  'orders.delivery.initiated',
  'orders.delivery.completed',
  'orders.delivery.failed',
  'wallets.transaction.succeeded',
  'wallets.transaction.failed',
] as const

/** Whether every token of a collection is one of its kind. */
export type Fungibility = (typeof fungibilities)[number]
/** The standard a collection's tokens follow. */
export type TokenStandard = (typeof tokenStandards)[number]
/** How far a token is on its way onto its chain. */
export type MintStatus = (typeof mintStatuses)[number]
/** What changes a chain and is followed by its action id. */
export type ActionName = (typeof actionNames)[number]
/** How far an action is. */
export type ActionStatus = (typeof actionStatuses)[number]
/** What a webhook endpoint can be told of. */
export type WebhookEventType = (typeof webhookEventTypes)[number]
