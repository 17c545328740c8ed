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
      "usePayOrder",
      "useRefreshOrder",
    ]
  `)
})

test('behavior: kassa/schema exports these names', async () => {
  expect(await namesOf('kassa/schema')).toMatchInlineSnapshot(`
    [
      "Amount",
      "CollectionLocator",
      "CreateOrderAnswer",
      "CreateOrderBody",
      "Decimal",
      "DeliveredToken",
      "Delivery",
      "EditOrderBody",
      "ErrorAnswer",
      "LineItem",
      "LineItemInput",
      "LineItemQuote",
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
      "Timestamp",
      "Transfer",
      "WalletAddress",
      "collectionChains",
      "deliveryStatuses",
      "evmChains",
      "foreignPaymentStatuses",
      "fromBaseUnits",
      "isEvmChainName",
      "lineItemQuoteStatuses",
      "locales",
      "open",
      "parseCollectionLocator",
      "paymentFailureCodes",
      "paymentStatuses",
      "phases",
      "quoteStatuses",
      "toBaseUnits",
    ]
  `)
})

test('behavior: kassa/api exports these names', async () => {
  expect(await namesOf('kassa/api')).toMatchInlineSnapshot(`
    [
      "KassaError",
      "createClient",
      "createOrder",
      "editOrder",
      "getOrder",
      "getOrderIfChanged",
      "getServiceTime",
      "isKassaError",
      "observeCalls",
      "refreshOrder",
      "reportPayment",
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
