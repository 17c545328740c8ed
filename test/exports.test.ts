import { expect, test } from 'vitest'
import { readSource } from './helpers/sources.js'

/** Names that exist at run time when an entry of the package is imported. */
const namesOf = async (entry: string): Promise<string[]> => Object.keys(await import(entry)).sort()

test('behavior: the package has these entries', () => {
  expect(Object.keys(JSON.parse(readSource('package.json')).exports)).toEqual([
    '.',
    './schema',
    './api',
    './engine',
    './chain',
    './query',
    './server',
    './wallet',
    './solana',
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
      "CheckoutProvider",
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
      "useSolanaWallets",
      "useTransfer",
    ]
  `)
})

test('behavior: kassa/schema exports these names', async () => {
  expect(await namesOf('kassa/schema')).toMatchInlineSnapshot(`
    [
      "Action",
      "ApiKey",
      "ApiKeyList",
      "ApproveTransactionBody",
      "AuditEntry",
      "AuditEntryList",
      "Balance",
      "BalanceList",
      "CancelShipmentBody",
      "CartOrderBody",
      "Collection",
      "CollectionList",
      "CreateApiKeyBody",
      "CreateCollectionBody",
      "CreateOrderAnswer",
      "CreateOrderBody",
      "CreateRefundBody",
      "CreateShipmentBody",
      "CreateTemplateBody",
      "CreateTransactionBody",
      "CreateWalletBody",
      "CreateWebhookEndpointBody",
      "CreatedApiKey",
      "Credential",
      "CredentialAnswer",
      "EditOrderBody",
      "ErrorAnswer",
      "FundBody",
      "LineItem",
      "ListedOrder",
      "MintNftBody",
      "Nft",
      "NftList",
      "Order",
      "OrderList",
      "OrderShipments",
      "OrderSummary",
      "OrderTimeline",
      "PaymentBalances",
      "PaymentCapture",
      "Refund",
      "RefundList",
      "ReportPaymentBody",
      "ResendWebhookBody",
      "ResentMail",
      "ResentWebhook",
      "RollApiKeyBody",
      "RotateWebhookSecretBody",
      "Shipment",
      "Template",
      "TemplateList",
      "TimelineEntry",
      "Transaction",
      "TransactionList",
      "UpdateCollectionBody",
      "UpdateNftBody",
      "UpdateTemplateBody",
      "UpdateWebhookEndpointBody",
      "Wallet",
      "WalletToken",
      "WalletTokenList",
      "WebhookAttempt",
      "WebhookDelivery",
      "WebhookDeliveryList",
      "WebhookEndpoint",
      "WebhookEndpointList",
      "WebhookEndpointSecret",
      "WebhookEvent",
      "evmChains",
      "explorerUrls",
      "fields",
      "findLocale",
      "fromBaseUnits",
      "isEvmChainName",
      "members",
      "operations",
      "parseCollectionLocator",
      "parseMintRecipient",
      "parseTokenLocator",
      "parseTokenOwner",
      "parseUserLocator",
      "parseWalletLocator",
      "toBaseUnits",
    ]
  `)
})

test('behavior: kassa/api exports these names', async () => {
  expect(await namesOf('kassa/api')).toMatchInlineSnapshot(`
    [
      "KassaError",
      "approveTransaction",
      "burnNft",
      "cancelShipment",
      "captureOrder",
      "createApiKey",
      "createClient",
      "createCollection",
      "createOrder",
      "createRefund",
      "createShipment",
      "createTemplate",
      "createTransaction",
      "createWallet",
      "createWebhookEndpoint",
      "deleteTemplate",
      "editOrder",
      "exportOrders",
      "fundWallet",
      "getAction",
      "getBalances",
      "getCollection",
      "getCredential",
      "getNft",
      "getOrder",
      "getOrderIfChanged",
      "getRefund",
      "getServiceTime",
      "getSummary",
      "getTemplate",
      "getTimeline",
      "getTransaction",
      "getWallet",
      "getWebhookDelivery",
      "getWebhookEndpoint",
      "hasTransactionEnded",
      "isKassaError",
      "listApiKeys",
      "listAuditEntries",
      "listCollections",
      "listNfts",
      "listOrders",
      "listRefunds",
      "listTemplates",
      "listTransactions",
      "listWalletTokens",
      "listWebhookDeliveries",
      "listWebhookEndpoints",
      "mintNft",
      "observeCalls",
      "putCollection",
      "putNft",
      "putTemplate",
      "refreshOrder",
      "removeWebhookEndpoint",
      "reportPayment",
      "resendMail",
      "resendOrderWebhook",
      "resendWebhook",
      "revokeApiKey",
      "rollApiKey",
      "rotateWebhookSecret",
      "sendTestEvent",
      "streamOrder",
      "updateCollection",
      "updateNft",
      "updateTemplate",
      "updateWebhookEndpoint",
      "voidOrder",
      "waitForAction",
      "waitForTransaction",
    ]
  `)
})

test('behavior: kassa/engine exports these names', async () => {
  expect(await namesOf('kassa/engine')).toMatchInlineSnapshot(`
    [
      "InvalidInput",
      "assertPromoted",
      "assertTotalPrice",
      "assertUnmade",
      "canonicalJson",
      "chainFamilyOf",
      "changeTerms",
      "clip",
      "convertUp",
      "decodeRevert",
      "describeRevert",
      "divideRefund",
      "encodeCalls",
      "equalsDecimal",
      "explainCancel",
      "explainCapture",
      "explainLeft",
      "findPhase",
      "getRate",
      "hintedForMs",
      "isClaim",
      "isClaimed",
      "isEditable",
      "isFree",
      "isInMerkleTree",
      "isSameSigner",
      "isShareOfPrice",
      "issueCredential",
      "listHolds",
      "listProceeds",
      "listSaleLimits",
      "multiplyDecimal",
      "nativeCurrencyOf",
      "newOrder",
      "nextAttemptAtMs",
      "orderEvents",
      "parseAddress",
      "parseChainAddress",
      "parseInput",
      "planRefund",
      "planShipment",
      "promptMs",
      "quoteOrder",
      "quotedTerms",
      "readAbiErrors",
      "readAddress",
      "readAdminSigner",
      "readApproval",
      "readApprovals",
      "readLineItems",
      "readMessageApprovals",
      "readParams",
      "readRecipient",
      "readTransfer",
      "readWalletAddress",
      "readWalletType",
      "refundedOf",
      "showError",
      "sumRefundable",
      "sweepAttempt",
      "sweepKeys",
      "toCustodian",
      "toFiat",
      "toLine",
      "transition",
      "viewOrder",
      "viewRefund",
      "viewShipment",
    ]
  `)
})

test('behavior: kassa/chain exports these names', async () => {
  expect(await namesOf('kassa/chain')).toMatchInlineSnapshot(`
    [
      "checkPayment",
      "checkSolanaPayment",
      "classifyWalletError",
      "createLedger",
      "createMemoryStorage",
      "createSolanaRequest",
      "createTransferRequest",
      "findToken",
      "getCloneAddress",
      "getDepositAddress",
      "getOrderAccounts",
      "isNativeCurrency",
      "knownTokens",
      "readPreparation",
      "toOrderReference",
      "verifyCredential",
    ]
  `)
})

test('behavior: kassa/server exports these names', async () => {
  expect(await namesOf('kassa/server')).toMatchInlineSnapshot(`
    [
      "createCheckoutHandler",
      "createOrder",
      "createServerClient",
      "createTransaction",
      "createWallet",
      "createWalletHandler",
      "createWebhookHandler",
      "editOrder",
      "getCredential",
      "getOrder",
      "getTransaction",
      "getWallet",
      "isKassaError",
      "isTokenTransfer",
      "listOrders",
      "listWalletTokens",
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
      "getSandboxSolana",
      "registerSolanaSandboxWallet",
      "sandboxChain",
      "sandboxWallet",
    ]
  `)
})

test('behavior: kassa/testing exports these names', async () => {
  expect(await namesOf('kassa/testing')).toMatchInlineSnapshot(`
    [
      "createTestService",
      "createTestSolanaWallet",
      "createTestWallet",
      "createTestWalletClient",
      "delivered",
      "installTestAuthenticator",
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
      "orderQueryKey",
      "orderQueryOptions",
      "refreshOrderMutationOptions",
    ]
  `)
})

test('behavior: kassa/wallet exports these names', async () => {
  expect(await namesOf('kassa/wallet')).toMatchInlineSnapshot(`
    [
      "WalletProvider",
      "balancesQueryOptions",
      "contractCall",
      "createPasskey",
      "createTransfer",
      "createWalletMutationOptions",
      "credentialQueryOptions",
      "forgetTransactions",
      "getMaxFeeWei",
      "getTransactionPollInterval",
      "hasPasskeys",
      "isKassaError",
      "transactionQueryKey",
      "transactionQueryOptions",
      "transactionsInfiniteQueryOptions",
      "transactionsQueryOptions",
      "useBalances",
      "useCreateWallet",
      "useCredential",
      "useTransaction",
      "useTransactions",
      "useWallet",
      "useWalletClient",
      "useWalletTokens",
      "walletQueryOptions",
      "walletTokensInfiniteQueryOptions",
      "walletTokensQueryOptions",
    ]
  `)
})

test('behavior: an app chooses from fewer than 275 names', async () => {
  const targets: Record<string, { '@kassa/source'?: string }> = JSON.parse(readSource('package.json')).exports
  // The engine is for the service. A language has one name.
  const entries = Object.keys(targets).filter(
    (entry) =>
      entry !== './engine' && !entry.includes('*') && targets[entry]?.['@kassa/source']?.endsWith('.ts'),
  )
  expect(entries.length).toBeGreaterThan(9)
  const names = await Promise.all(entries.map((entry) => namesOf(entry.replace('.', 'kassa'))))
  expect(names.flat().length).toBeLessThan(275)
})
