/** One operation of the interface: how it is called, and who may call it. */
export type Operation = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the base URL, with `{parameters}` in braces. */
  path: string
  /** The scope that an API key needs; of several, one is enough. */
  scope: string | readonly string[]
  /** Whether the client secret of the order in the path opens it, too. */
  isSecretAccepted?: true
}

const collection = '/2022-06-09/collections/{collectionId}'
const template = '/2022-06-09/collections/{collectionId}/templates/{templateId}'
const nft = '/2022-06-09/collections/{collectionId}/nfts/{nftId}'
const order = '/2022-06-09/orders/{orderId}'
const wallet = '/2022-06-09/wallets/{walletLocator}'
const transaction = '/2022-06-09/wallets/{walletLocator}/transactions/{transactionId}'
const balances = '/v1-alpha2/wallets/{walletLocator}/balances'

// Each is exported by itself and written as plain strings, so that a page loads only the rows of the operations that it calls:
// esbuild keeps a template string, because filling it may have effects.
/** Creates a collection under an id that the service chooses. */
export const createCollection = {
  method: 'POST',
  path: '/2022-06-09/collections',
  scope: 'collections.create',
} as const
/** Lists the collections of the project. */
export const listCollections = {
  method: 'GET',
  path: '/2022-06-09/collections',
  scope: 'collections.read',
} as const
/** Gets a collection. */
export const getCollection = { method: 'GET', path: collection, scope: 'collections.read' } as const
/** Creates a collection under an id of the caller. */
export const putCollection = { method: 'PUT', path: collection, scope: 'collections.create' } as const
/** Updates a collection. */
export const updateCollection = { method: 'PATCH', path: collection, scope: 'collections.create' } as const

/** Creates a template. */
export const createTemplate = {
  method: 'POST',
  path: '/2022-06-09/collections/{collectionId}/templates',
  scope: 'nfts.create',
} as const
/** Lists the templates of a collection. */
export const listTemplates = {
  method: 'GET',
  path: '/2022-06-09/collections/{collectionId}/templates',
  scope: 'nfts.read',
} as const
/** Gets a template. */
export const getTemplate = { method: 'GET', path: template, scope: 'nfts.read' } as const
/** Creates a template under an id of the caller. */
export const putTemplate = { method: 'PUT', path: template, scope: 'nfts.create' } as const
/** Updates a template. */
export const updateTemplate = { method: 'PATCH', path: template, scope: 'nfts.create' } as const
/** Deletes a template. */
export const deleteTemplate = { method: 'DELETE', path: template, scope: 'nfts.delete' } as const

/** Mints a token. */
export const mintNft = {
  method: 'POST',
  path: '/2022-06-09/collections/{collectionId}/nfts',
  scope: 'nfts.create',
} as const
/** Lists the tokens of a collection. */
export const listNfts = {
  method: 'GET',
  path: '/2022-06-09/collections/{collectionId}/nfts',
  scope: 'nfts.read',
} as const
/** Gets a token. */
export const getNft = { method: 'GET', path: nft, scope: 'nfts.read' } as const
/** Mints a token under an id of the caller. */
export const putNft = { method: 'PUT', path: nft, scope: 'nfts.create' } as const
/** Updates a token. */
export const updateNft = { method: 'PATCH', path: nft, scope: 'nfts.create' } as const
/** Burns a token. */
export const burnNft = { method: 'DELETE', path: nft, scope: 'nfts.delete' } as const

/** Stores a picture. Any scope that names one is enough. */
export const uploadFile = {
  method: 'POST',
  path: '/2022-06-09/files',
  scope: ['collections.create', 'nfts.create'],
} as const

/** Gets the status of an action. Any scope that starts one is enough. */
export const getAction = {
  method: 'GET',
  path: '/2022-06-09/actions/{actionId}',
  scope: ['collections.create', 'nfts.create', 'nfts.delete'],
} as const

/** Creates an order. */
export const createOrder = { method: 'POST', path: '/2022-06-09/orders', scope: 'orders.create' } as const
/** Lists the orders of the project. */
export const listOrders = { method: 'GET', path: '/2022-06-09/orders', scope: 'orders.read' } as const
/** Exports the orders of the project as CSV. */
export const exportOrders = { method: 'GET', path: '/2022-06-09/orders.csv', scope: 'orders.read' } as const
/** Gets an order. */
export const getOrder = { method: 'GET', path: order, scope: 'orders.read', isSecretAccepted: true } as const
/** Follows an order. */
export const streamOrder = {
  method: 'GET',
  path: '/2022-06-09/orders/{orderId}/events',
  scope: 'orders.read',
  isSecretAccepted: true,
} as const
/** Edits an order. */
export const editOrder = {
  method: 'PATCH',
  path: order,
  scope: 'orders.update',
  isSecretAccepted: true,
} as const
/** Quotes an order again. */
export const refreshOrder = {
  method: 'POST',
  path: '/2022-06-09/orders/{orderId}/refresh',
  scope: 'orders.update',
  isSecretAccepted: true,
} as const
/** Reports the transaction that pays an order. */
export const reportPayment = {
  method: 'POST',
  path: '/2022-06-09/orders/{orderId}/payment',
  scope: 'orders.update',
  isSecretAccepted: true,
} as const

/** Pays an order by what its buyer signed. */
export const createAuthorization = {
  method: 'POST',
  path: '/2022-06-09/orders/{orderId}/authorizations',
  scope: 'orders.update',
  isSecretAccepted: true,
} as const

/** Lists the ways to pay an order. */
export const listPaymentOptions = {
  method: 'GET',
  path: '/2022-06-09/orders/{orderId}/payment-options',
  scope: 'orders.read',
  isSecretAccepted: true,
} as const

/** Lists the chains and currencies that new orders can be paid in. Who creates or reads orders may know them. */
export const listPaymentMethods = {
  method: 'GET',
  path: '/2022-06-09/payment-methods',
  scope: ['orders.create', 'orders.read'],
} as const

/** Creates a payment link. */
export const createPaymentLink = {
  method: 'POST',
  path: '/2022-06-09/payment-links',
  scope: 'orders.create',
} as const
/** Lists the payment links of the project. */
export const listPaymentLinks = {
  method: 'GET',
  path: '/2022-06-09/payment-links',
  scope: 'orders.read',
} as const
/** Gets a payment link. */
export const getPaymentLink = {
  method: 'GET',
  path: '/2022-06-09/payment-links/{paymentLinkId}',
  scope: 'orders.read',
} as const
/** Changes, deactivates or activates a payment link. */
export const updatePaymentLink = {
  method: 'PATCH',
  path: '/2022-06-09/payment-links/{paymentLinkId}',
  scope: 'orders.create',
} as const

/** Captures the payment of an order. */
export const captureOrder = {
  method: 'POST',
  path: '/2022-06-09/orders/{orderId}/capture',
  scope: 'orders.capture',
} as const
/** Voids the payment of an order. */
export const voidOrder = {
  method: 'POST',
  path: '/2022-06-09/orders/{orderId}/void',
  scope: 'orders.capture',
} as const

/** Refunds a paid order, or part of it. */
export const createRefund = {
  method: 'POST',
  path: '/2022-06-09/orders/{orderId}/refunds',
  scope: 'orders.refund',
} as const
/** Lists the refunds of an order. */
export const listRefunds = {
  method: 'GET',
  path: '/2022-06-09/orders/{orderId}/refunds',
  scope: 'orders.read',
} as const
/** Gets a refund of an order. */
export const getRefund = {
  method: 'GET',
  path: '/2022-06-09/orders/{orderId}/refunds/{refundId}',
  scope: 'orders.read',
} as const

/** Marks line items of an order as shipped. */
export const createShipment = {
  method: 'POST',
  path: '/2022-06-09/orders/{orderId}/shipments',
  scope: 'orders.ship',
} as const
/** Takes back that line items of an order were shipped. */
export const cancelShipment = {
  method: 'POST',
  path: '/2022-06-09/orders/{orderId}/shipments/{shipmentId}/cancel',
  scope: 'orders.ship',
} as const

/** Lists what happened to an order. */
export const getTimeline = {
  method: 'GET',
  path: '/2022-06-09/orders/{orderId}/timeline',
  scope: 'orders.read',
} as const
/** Sends an e-mail about an order once more. */
export const resendMail = {
  method: 'POST',
  path: '/2022-06-09/orders/{orderId}/mails/{mailId}/resend',
  scope: 'mails.send',
} as const
/** Sends a webhook event about an order once more. */
export const resendOrderWebhook = {
  method: 'POST',
  path: '/2022-06-09/orders/{orderId}/webhooks/{eventId}/resend',
  scope: 'webhooks.send',
} as const
/** Sums up the orders of the project, and what needs a person. */
export const getSummary = { method: 'GET', path: '/2022-06-09/summary', scope: 'orders.read' } as const

/** Creates a wallet. */
export const createWallet = { method: 'POST', path: '/2022-06-09/wallets', scope: 'wallets.create' } as const
/** Gets a wallet. */
export const getWallet = { method: 'GET', path: wallet, scope: 'wallets.read' } as const
/** Lists the transactions of a wallet. */
export const listTransactions = {
  method: 'GET',
  path: '/2022-06-09/wallets/{walletLocator}/transactions',
  scope: 'wallets:transactions.read',
} as const
/** Creates a transaction of a wallet. */
export const createTransaction = {
  method: 'POST',
  path: '/2022-06-09/wallets/{walletLocator}/transactions',
  scope: 'wallets:transactions.create',
} as const
/** Gets a transaction. */
export const getTransaction = {
  method: 'GET',
  path: transaction,
  scope: 'wallets:transactions.read',
} as const
/** Approves a transaction. */
export const approveTransaction = {
  method: 'POST',
  path: '/2022-06-09/wallets/{walletLocator}/transactions/{transactionId}/approvals',
  scope: 'wallets:transactions.sign',
} as const
/** Gets a wallet's balances. */
export const getBalances = { method: 'GET', path: balances, scope: 'wallets:balance.read' } as const
/** Gives a wallet test tokens. */
export const fundWallet = { method: 'POST', path: balances, scope: 'wallets.fund' } as const
/** Lists the tokens in a wallet. */
export const listWalletTokens = {
  method: 'GET',
  path: '/2022-06-09/wallets/{identifier}/nfts',
  scope: 'wallets:nfts.read',
} as const

/** Gets the credential of a token's holder. */
export const getCredential = {
  method: 'GET',
  path: '/v1-alpha1/nfts/{nftLocator}/credentials',
  scope: 'nfts.read',
} as const

/** Lists what people did in the console. */
export const listAuditEntries = {
  method: 'GET',
  path: '/2022-06-09/audit-log',
  scope: 'audit.read',
} as const

/** Lists the API keys of the project. */
export const listApiKeys = { method: 'GET', path: '/2022-06-09/api-keys', scope: 'keys.manage' } as const
/** Creates an API key. */
export const createApiKey = { method: 'POST', path: '/2022-06-09/api-keys', scope: 'keys.manage' } as const
/** Replaces an API key by a new one with the same permissions. */
export const rollApiKey = {
  method: 'POST',
  path: '/2022-06-09/api-keys/{keyId}/roll',
  scope: 'keys.manage',
} as const
/** Revokes an API key. */
export const revokeApiKey = {
  method: 'DELETE',
  path: '/2022-06-09/api-keys/{keyId}',
  scope: 'keys.manage',
} as const

/** Lists the webhook endpoints of the project. */
export const listWebhookEndpoints = {
  method: 'GET',
  path: '/2022-06-09/webhook-endpoints',
  scope: 'webhooks.read',
} as const
/** Creates a webhook endpoint. */
export const createWebhookEndpoint = {
  method: 'POST',
  path: '/2022-06-09/webhook-endpoints',
  scope: 'webhooks.manage',
} as const
/** Gets a webhook endpoint. */
export const getWebhookEndpoint = {
  method: 'GET',
  path: '/2022-06-09/webhook-endpoints/{endpointId}',
  scope: 'webhooks.read',
} as const
/** Changes, disables or enables a webhook endpoint. */
export const updateWebhookEndpoint = {
  method: 'PATCH',
  path: '/2022-06-09/webhook-endpoints/{endpointId}',
  scope: 'webhooks.manage',
} as const
/** Removes a webhook endpoint. */
export const removeWebhookEndpoint = {
  method: 'DELETE',
  path: '/2022-06-09/webhook-endpoints/{endpointId}',
  scope: 'webhooks.manage',
} as const
/** Gives a webhook endpoint a new secret. */
export const rotateWebhookSecret = {
  method: 'POST',
  path: '/2022-06-09/webhook-endpoints/{endpointId}/rotate',
  scope: 'webhooks.manage',
} as const
/** Sends a test event to a webhook endpoint. */
export const sendTestEvent = {
  method: 'POST',
  path: '/2022-06-09/webhook-endpoints/{endpointId}/test',
  scope: 'webhooks.manage',
} as const
/** Lists the deliveries of events to a webhook endpoint. */
export const listWebhookDeliveries = {
  method: 'GET',
  path: '/2022-06-09/webhook-endpoints/{endpointId}/deliveries',
  scope: 'webhooks.read',
} as const
/** Gets the delivery of an event, with its body and attempts. */
export const getWebhookDelivery = {
  method: 'GET',
  path: '/2022-06-09/webhook-endpoints/{endpointId}/deliveries/{eventId}',
  scope: 'webhooks.read',
} as const
/** Sends an event to a webhook endpoint once more. */
export const resendWebhook = {
  method: 'POST',
  path: '/2022-06-09/webhook-endpoints/{endpointId}/deliveries/{eventId}/resend',
  scope: 'webhooks.manage',
} as const
