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
    ]
  `)
})

test('behavior: kassa/schema exports these names', async () => {
  expect(await namesOf('kassa/schema')).toMatchInlineSnapshot(`
    [
      "Action",
      "ApproveTransactionBody",
      "Balance",
      "BalanceList",
      "CartOrderBody",
      "Collection",
      "CollectionList",
      "CreateCollectionBody",
      "CreateOrderAnswer",
      "CreateOrderBody",
      "CreateTemplateBody",
      "CreateTransactionBody",
      "CreateWalletBody",
      "Credential",
      "CredentialAnswer",
      "EditOrderBody",
      "ErrorAnswer",
      "FundBody",
      "LineItem",
      "MintNftBody",
      "Nft",
      "NftList",
      "Order",
      "OrderList",
      "ReportPaymentBody",
      "Template",
      "TemplateList",
      "Transaction",
      "TransactionList",
      "UpdateCollectionBody",
      "UpdateNftBody",
      "UpdateTemplateBody",
      "Wallet",
      "WalletToken",
      "WalletTokenList",
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
      "createClient",
      "createCollection",
      "createOrder",
      "createTemplate",
      "createTransaction",
      "createWallet",
      "deleteTemplate",
      "editOrder",
      "fundWallet",
      "getAction",
      "getBalances",
      "getCollection",
      "getCredential",
      "getNft",
      "getOrder",
      "getOrderIfChanged",
      "getServiceTime",
      "getTemplate",
      "getTransaction",
      "getWallet",
      "hasTransactionEnded",
      "isKassaError",
      "listCollections",
      "listNfts",
      "listOrders",
      "listTemplates",
      "listTransactions",
      "listWalletTokens",
      "mintNft",
      "observeCalls",
      "putCollection",
      "putNft",
      "putTemplate",
      "refreshOrder",
      "reportPayment",
      "updateCollection",
      "updateNft",
      "updateTemplate",
      "waitForAction",
      "waitForTransaction",
    ]
  `)
})

test('behavior: kassa/engine exports these names', async () => {
  expect(await namesOf('kassa/engine')).toMatchInlineSnapshot(`
    [
      "InvalidInput",
      "assertTotalPrice",
      "assertUnmade",
      "canonicalJson",
      "chainFamilyOf",
      "changeTerms",
      "clip",
      "convertUp",
      "decodeRevert",
      "describeRevert",
      "encodeCalls",
      "equalsDecimal",
      "getRate",
      "hintedForMs",
      "isEditable",
      "isSameSigner",
      "isShareOfPrice",
      "issueCredential",
      "listProceeds",
      "multiplyDecimal",
      "nativeCurrencyOf",
      "newOrder",
      "nextAttemptAtMs",
      "orderEvents",
      "parseAddress",
      "parseChainAddress",
      "parseInput",
      "promptMs",
      "quoteOrder",
      "quotedTerms",
      "readAbiErrors",
      "readAddress",
      "readAdminSigner",
      "readApproval",
      "readApprovals",
      "readLineItems",
      "readParams",
      "readRecipient",
      "readTransfer",
      "readWalletAddress",
      "showError",
      "sweepAttempt",
      "sweepKeys",
      "toCustodian",
      "toLine",
      "transition",
      "viewOrder",
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

test('behavior: an app chooses from fewer than 200 names', async () => {
  const targets: Record<string, { '@kassa/source'?: string }> = JSON.parse(readSource('package.json')).exports
  // The engine is for the service. A language has one name.
  const entries = Object.keys(targets).filter(
    (entry) =>
      entry !== './engine' && !entry.includes('*') && targets[entry]?.['@kassa/source']?.endsWith('.ts'),
  )
  expect(entries.length).toBeGreaterThan(9)
  const names = await Promise.all(entries.map((entry) => namesOf(entry.replace('.', 'kassa'))))
  expect(names.flat().length).toBeLessThan(200)
})
