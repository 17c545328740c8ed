import { expect, test } from 'vitest'
import { readSource } from './helpers/sources.js'

/** Names that exist at run time when an entry of the package is imported. */
const namesOf = async (entry: string): Promise<string[]> => Object.keys(await import(entry)).sort()

test('behavior: the package has these entries', () => {
  expect(Object.keys(JSON.parse(readSource('package.json')).exports)).toEqual([
    '.',
    './schema',
    './api',
    './chain',
    './query',
    './server',
    './sandbox',
    './testing',
    './devtools',
    './locales',
    './locales/*',
    './theme.css',
    './package.json',
  ])
})

test('behavior: kassa exports these names', async () => {
  expect(await namesOf('kassa')).toMatchInlineSnapshot(`
    [
      "Checkout",
      "CheckoutAddressForm",
      "CheckoutCharge",
      "CheckoutDisconnect",
      "CheckoutEmailForm",
      "CheckoutError",
      "CheckoutExpiry",
      "CheckoutField",
      "CheckoutFieldError",
      "CheckoutFieldInput",
      "CheckoutFieldLabel",
      "CheckoutFunds",
      "CheckoutItem",
      "CheckoutItemCharge",
      "CheckoutItemDelivery",
      "CheckoutItemDescription",
      "CheckoutItemImage",
      "CheckoutItemName",
      "CheckoutItemPrice",
      "CheckoutItemQuantity",
      "CheckoutItemRecipient",
      "CheckoutItems",
      "CheckoutPanel",
      "CheckoutPay",
      "CheckoutPayer",
      "CheckoutPaymentMethod",
      "CheckoutProgress",
      "CheckoutProvider",
      "CheckoutReceipt",
      "CheckoutRecipientForm",
      "CheckoutRefresh",
      "CheckoutRefund",
      "CheckoutRoot",
      "CheckoutStatus",
      "CheckoutSubmit",
      "CheckoutTotal",
      "CheckoutTransactionLink",
      "CheckoutWallet",
      "CheckoutWallets",
      "KassaError",
      "createClient",
      "formatAmount",
      "getStage",
      "getTimeLeftMs",
      "isKassaError",
      "isPending",
      "useClient",
      "useCreateOrder",
      "useEditOrder",
      "useNow",
      "useOrder",
      "useOrderSession",
      "usePayOrder",
      "useRefreshOrder",
    ]
  `)
})

test('behavior: kassa/schema exports these names', async () => {
  expect(await namesOf('kassa/schema')).toMatchInlineSnapshot(`
    [
      "Action",
      "ActionData",
      "ActionError",
      "Amount",
      "CartOrderBody",
      "ChosenId",
      "Collection",
      "CollectionList",
      "CollectionLocator",
      "CollectionMetadata",
      "CreateCollectionBody",
      "CreateOrderAnswer",
      "CreateOrderBody",
      "CreateTemplateBody",
      "Decimal",
      "DeliveredToken",
      "Delivery",
      "EditOrderBody",
      "ErrorAnswer",
      "FileUrl",
      "LineItem",
      "LineItemInput",
      "LineItemQuote",
      "MintNftBody",
      "MintRecipient",
      "Nft",
      "NftList",
      "NftMetadata",
      "NftMetadataInput",
      "Order",
      "OrderList",
      "OrderMetadata",
      "Payment",
      "PaymentFailure",
      "PaymentInput",
      "PhysicalAddress",
      "Preparation",
      "Quote",
      "RecipientInput",
      "ReportPaymentBody",
      "Template",
      "TemplateList",
      "Timestamp",
      "Transfer",
      "UpdateCollectionBody",
      "UpdateNftBody",
      "WalletAddress",
      "WebhookEvent",
      "actionNames",
      "actionStatuses",
      "collectionChains",
      "deliveryStatuses",
      "evmChains",
      "explorerUrls",
      "foreignPaymentStatuses",
      "fromBaseUnits",
      "fungibilities",
      "isEvmChainName",
      "lineItemQuoteStatuses",
      "locales",
      "mintStatuses",
      "open",
      "parseCollectionLocator",
      "parseMintRecipient",
      "paymentFailureCodes",
      "paymentStatuses",
      "phases",
      "quoteStatuses",
      "toBaseUnits",
      "tokenStandards",
      "webhookEventTypes",
    ]
  `)
})

test('behavior: kassa/api exports these names', async () => {
  expect(await namesOf('kassa/api')).toMatchInlineSnapshot(`
    [
      "KassaError",
      "createClient",
      "createCollection",
      "createOrder",
      "createTemplate",
      "editOrder",
      "getAction",
      "getCollection",
      "getNft",
      "getOrder",
      "getOrderIfChanged",
      "getServiceTime",
      "getTemplate",
      "isKassaError",
      "listCollections",
      "listNfts",
      "listOrders",
      "listTemplates",
      "mintNft",
      "observeCalls",
      "putCollection",
      "putNft",
      "refreshOrder",
      "reportPayment",
      "updateCollection",
      "updateNft",
      "waitForAction",
    ]
  `)
})

test('behavior: kassa/chain exports these names', async () => {
  expect(await namesOf('kassa/chain')).toMatchInlineSnapshot(`
    [
      "checkPayment",
      "classifyWalletError",
      "createLedger",
      "createMemoryStorage",
      "findToken",
      "getCloneAddress",
      "getDepositAddress",
      "isNativeCurrency",
      "isRefusal",
      "isRevert",
      "isUnknownChain",
      "isUnsupported",
      "knownTokens",
      "readPreparation",
      "readRevert",
      "readRouterPay",
      "readTransfer",
      "toOrderReference",
    ]
  `)
})

test('behavior: kassa/server exports these names', async () => {
  expect(await namesOf('kassa/server')).toMatchInlineSnapshot(`
    [
      "KassaError",
      "createCheckoutHandler",
      "createOrder",
      "createServerClient",
      "createWebhookHandler",
      "editOrder",
      "getOrder",
      "isKassaError",
      "listOrders",
      "orderCookie",
      "readOrderCookie",
      "refreshOrder",
      "refuseCart",
      "verifyWebhook",
    ]
  `)
})

test('behavior: kassa/sandbox exports these names', async () => {
  expect(await namesOf('kassa/sandbox')).toMatchInlineSnapshot(`
    [
      "getSandboxRules",
      "sandboxChain",
      "sandboxWallet",
    ]
  `)
})

test('behavior: kassa/testing exports these names', async () => {
  expect(await namesOf('kassa/testing')).toMatchInlineSnapshot(`
    [
      "createTestService",
      "createTestWallet",
      "delivered",
      "itemFixture",
      "orderFixture",
      "orders",
    ]
  `)
})

test('behavior: kassa/devtools exports these names', async () => {
  expect(await namesOf('kassa/devtools')).toMatchInlineSnapshot(`
    [
      "CheckoutDevtools",
      "canForce",
      "createDevtools",
      "forceOrder",
      "forcedStates",
      "useCheckoutDevtools",
    ]
  `)
})

test('behavior: kassa/query exports these names', async () => {
  expect(await namesOf('kassa/query')).toMatchInlineSnapshot(`
    [
      "createOrderMutationOptions",
      "editOrderMutationOptions",
      "getPayment",
      "isPending",
      "orderQueryKey",
      "orderQueryOptions",
      "refreshOrderMutationOptions",
    ]
  `)
})
