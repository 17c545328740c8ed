/**
 * Every closed list of the interface, once. The service writes only these members; the library's readers
 * accept others too (see `open.ts`), because a newer service may know more than this list.
 *
 * @source interface.md "States and transitions"; answers.md "Order states", "Create order, edit order"
 */

/** Phases of an order, in the order a buyer meets them. */
export const phases = ['quote', 'payment', 'delivery', 'completed'] as const

/** What stands between an order and a price the buyer can pay. */
export const quoteStatuses = [
  'requires-recipient',
  'requires-physical-address',
  'all-line-items-unavailable',
  'valid',
  'expired',
] as const

/** What stands between one line item and its price. */
export const lineItemQuoteStatuses = ['valid', 'item-unavailable', 'expired', 'requires-recipient'] as const

/** Payment statuses the service writes. */
export const paymentStatuses = [
  'requires-quote',
  'requires-crypto-payer-address',
  'requires-email',
  'crypto-payer-insufficient-funds',
  'crypto-payer-insufficient-funds-for-gas',
  'awaiting-payment',
  'in-progress',
  'completed',
] as const

/** Payment statuses other services of this interface are known to write. */
export const foreignPaymentStatuses = ['failed', 'requires-kyc', 'failed-kyc', 'manual-kyc'] as const

/** Why a payment did not pay for its order. */
export const paymentFailureCodes = [
  'insufficient-funds',
  'tx-id-not-found',
  'underpaid',
  'expired',
  'unknown',
] as const

/** How far one line item is on its way to its recipient. */
export const deliveryStatuses = ['awaiting-payment', 'in-progress', 'completed', 'failed'] as const

/** Languages an order can be shown and mailed in. */
export const locales = [
  'en-US',
  'es-ES',
  'fr-FR',
  'it-IT',
  'ko-KR',
  'pt-PT',
  'ja-JP',
  'zh-CN',
  'zh-TW',
  'de-DE',
  'ru-RU',
  'tr-TR',
  'uk-UA',
  'th-TH',
  'vi-VN',
] as const

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

/** What kinds of wallet there are. */
export const walletTypes = [
  'evm-smart-wallet',
  'evm-mpc-wallet',
  'solana-smart-wallet',
  'solana-mpc-wallet',
] as const

/** Who may control a smart wallet on an EVM chain: an account, a passkey, or the service as custodian. */
export const evmSignerTypes = ['evm-keypair', 'evm-passkey', 'evm-kassa-custodial'] as const

/** How far a wallet's transaction is. */
export const transactionStatuses = ['awaiting-approval', 'pending', 'failed', 'success'] as const

/** Why a wallet's transaction failed. */
export const transactionErrorReasons = [
  'build_failed',
  'failed_to_land_on_chain',
  'unknown',
  'sanctioned_wallet_address',
  'program_error',
  'execution_reverted',
] as const

/** Which part of a wallet's transaction reverted. */
export const revertTypes = ['contract_call', 'wallet_authorization', 'wallet_deployment'] as const

/** The chains that wallets send transactions on. */
export const transactionChains = [
  'base',
  'polygon',
  'optimism',
  'arbitrum',
  'mode',
  'story',
  'bsc',
  'shape',
  'ethereum-sepolia',
  'base-sepolia',
  'polygon-amoy',
  'optimism-sepolia',
  'arbitrum-sepolia',
  'mode-sepolia',
  'story-testnet',
] as const

/** The tokens that wallets are funded with. */
export const fundTokens = ['usdc', 'usdxm'] as const

/** The chains that wallets are funded on. */
export const fundChains = [
  'arbitrum-sepolia',
  'avalanche-fuji',
  'base-sepolia',
  'barret-testnet',
  'ethereum-sepolia',
  'optimism-sepolia',
  'polygon-amoy',
  'sei-atlantic-2-testnet',
  'skale-nebula-testnet',
  'soneium-minato-testnet',
  'viction-testnet',
] as const

/** The standard that a token in a wallet follows, as the listing names it. */
export const walletTokenStandards = ['ERC-721', 'ERC-1155', 'ERC-5643'] as const

/** Where an order stands as a whole. */
export type Phase = (typeof phases)[number]
/** Where an order's quote stands. */
export type QuoteStatus = (typeof quoteStatuses)[number]
/** Where one line item's quote stands. */
export type LineItemQuoteStatus = (typeof lineItemQuoteStatuses)[number]
/** Where a payment stands, as this interface writes it. */
export type PaymentStatus = (typeof paymentStatuses)[number]
/** Where a payment stands, as other services may write it. */
export type ForeignPaymentStatus = (typeof foreignPaymentStatuses)[number]
/** Why a payment came to nothing. */
export type PaymentFailureCode = (typeof paymentFailureCodes)[number]
/** Where the delivery of one line item stands. */
export type DeliveryStatus = (typeof deliveryStatuses)[number]
/** A language and region the buyer is addressed in. */
export type Locale = (typeof locales)[number]
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
/** A kind of wallet. */
export type WalletType = (typeof walletTypes)[number]
/** Who may control a smart wallet on an EVM chain. */
export type EvmSignerType = (typeof evmSignerTypes)[number]
/** How far a wallet's transaction is. */
export type TransactionStatus = (typeof transactionStatuses)[number]
/** Why a wallet's transaction failed. */
export type TransactionErrorReason = (typeof transactionErrorReasons)[number]
/** Which part of a wallet's transaction reverted. */
export type RevertType = (typeof revertTypes)[number]
/** A chain that wallets send transactions on. */
export type TransactionChain = (typeof transactionChains)[number]
/** A token that wallets are funded with. */
export type FundToken = (typeof fundTokens)[number]
/** A chain that wallets are funded on. */
export type FundChain = (typeof fundChains)[number]
/** The standard that a token in a wallet follows. */
export type WalletTokenStandard = (typeof walletTokenStandards)[number]
