import type { Components, JsonSchema } from './toJsonSchema.js'

const uuid = 'b4d1f0f2-6f0f-4a53-9f57-3a1f2c0f7c11'
const templateId = '3d7a5d0e-4c55-4f0b-9b57-7f5e2f4f9a10'
const actionId = '9a0c1e62-2f0e-4d9b-8b5e-0d6d1c7f2b44'
const transactionId = '0b9f1c52-2b5e-4f0c-9a36-6f0c7d0f4a10'
const buyer = '0x9f3B6B1c0A4E2CF6D1B27F4E5cD0a1B2c3d4E5F6'
const seller = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const contractAddress = '0x4c1D2e3f405162738495A6b7c8d9eafb0c1d2e3F'
const smartWallet = '0x8f2B6d0C3a1E4f5B7d9c0e2A4c6B8D1F3A5E7c90'
const txId = '0x5d1f0c3b7e9a42864fb0d2c8e6a79135b3c4d5e6f708192a3b4c5d6e7f809112'
const operationHash = '0x2f7c5a9e1d3b48607c9ad4e2f5b6187390c1d2e3f4a5b6c7d8e9f0a1b2c3d4e5'
const picture = 'ipfs://bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy'
const now = '2026-03-02T12:00:00.000Z'
const later = '2026-03-02T12:10:00.000Z'

const eth = (amount: string) => ({ amount, currency: 'eth' })
const tokenMetadata = { name: 'Gold', image: picture, description: 'First place' }

/** Pays 0.012 ETH to the payment router, with the order's reference and the quote's deadline. */
const serializedTransaction = [
  '0x02f87783014a3480843b9aca008477359400830117139452908400098527886e0f7030069857d2e4169ee7872aa1efb94e',
  '0000b844d0ee4de02f7c5a9e1d3b48607c9ad4e2f5b6187390c1d2e3f4a5b6c7d8e9f0a1b2c3d4e500000000000000000000',
  '00000000000000000000000000000000000069a57e18c0',
].join('')

const order = {
  orderId: uuid,
  phase: 'payment',
  locale: 'en-US',
  lineItems: [
    {
      chain: 'base-sepolia',
      quantity: 1,
      callData: { quantity: 1 },
      metadata: { name: 'Dunes at Dusk', description: 'Sand, an hour after sunset', imageUrl: picture },
      quote: {
        status: 'valid',
        available: 240,
        charges: { unit: eth('0.012'), salesTax: eth('0'), shipping: eth('0') },
        totalPrice: eth('0.012'),
      },
      delivery: {
        status: 'awaiting-payment',
        recipient: { locator: `base-sepolia:${buyer}`, walletAddress: buyer },
      },
    },
  ],
  quote: { status: 'valid', quotedAt: now, expiresAt: later, totalPrice: eth('0.012') },
  payment: {
    status: 'awaiting-payment',
    method: 'base-sepolia',
    currency: 'eth',
    preparation: {
      chain: 'base-sepolia',
      payerAddress: buyer,
      serializedTransaction,
    },
  },
}

const auditEntry = {
  entryId: uuid,
  actor: { name: 'ada@example.com', accountId: uuid },
  operation: 'createRefund',
  resource: `orderId=${uuid}`,
  outcome: 'succeeded',
  requestId: 'req_6f1d2c3b4a59687706152433',
  ipAddress: '198.51.100.7',
  createdAt: '2026-11-22T10:00:00.000Z',
}
const refund = {
  refundId: `refund:${uuid}:0`,
  orderId: uuid,
  status: 'succeeded',
  cause: 'requested',
  reason: 'The print was damaged',
  amount: '0.012',
  currency: 'eth',
  chain: 'base-sepolia',
  recipient: buyer,
  lineItems: [{ index: 0, amount: '0.012' }],
  txId,
  note: 'The delivered tokens stay with their holder.',
  createdAt: now,
}

const shipment = {
  shipmentId: uuid,
  orderId: uuid,
  status: 'shipped',
  carrier: 'DHL',
  trackingNumber: '00340434161094042557',
  trackingUrl: 'https://carrier.example/parcels/00340434161094042557',
  lineItems: [{ index: 0 }],
  shippedAt: now,
}

const approval = {
  signer: `evm-keypair:${seller}`,
  message: operationHash,
}

const transaction = {
  id: transactionId,
  walletType: 'evm-smart-wallet',
  status: 'awaiting-approval',
  params: {
    chain: 'base-sepolia',
    calls: [{ to: buyer, value: '1000000000000000', data: '0x' }],
    signer: approval.signer,
  },
  onChain: {
    userOperation: {
      sender: smartWallet,
      nonce: '0x0',
      callData: '0xe9ae5c53',
      callGasLimit: '0xb3b0',
      verificationGasLimit: '0x186a0',
      preVerificationGas: '0xc350',
      maxFeePerGas: '0x0',
      maxPriorityFeePerGas: '0x0',
      signature: '0x',
    },
    userOperationHash: operationHash,
  },
  approvals: { pending: [approval], submitted: [], required: 1 },
  createdAt: now,
}

const apiKey = {
  keyId: uuid,
  name: 'Shop server',
  kind: 'server',
  scopes: ['orders.create', 'orders.read'],
  origins: [],
  status: 'active',
  createdAt: '2026-11-22T10:00:00.000Z',
  lastUsedAt: '2026-11-23T08:00:00.000Z',
}
const webhookEndpoint = {
  endpointId: uuid,
  url: 'https://shop.example/hook',
  eventTypes: ['orders.payment.succeeded', 'orders.delivery.completed'],
  status: 'enabled',
  createdAt: '2026-11-22T10:00:00.000Z',
}
const paymentLink = {
  paymentLinkId: 'pl_x2Vd0m4Tq8sKcY1nB7rLwEhA',
  url: 'https://pay.example/pay/pl_x2Vd0m4Tq8sKcY1nB7rLwEhA',
  status: 'active',
  title: 'Dunes at Dusk',
  lineItems: [{ collectionLocator: 'kassa:dunes-at-dusk', quantity: 1 }],
  maxQuantity: 5,
  maxUses: 100,
  uses: { paid: 12, reserved: 1 },
  expiresAt: '2026-12-31T23:00:00.000Z',
  successUrl: 'https://shop.example/thanks',
  createdAt: '2026-11-22T10:00:00.000Z',
}
const webhookDelivery = {
  endpointId: uuid,
  eventId: 'msg_7Zc0u3S1k2bq9XhVt4Yp6WfA',
  type: 'orders.delivery.completed',
  status: 'succeeded',
  attemptCount: 1,
  lastStatus: 200,
  createdAt: '2026-11-22T10:05:00.000Z',
}
/** Whole values that the document shows for what has a name. */
const namedExamples: Readonly<Record<string, unknown>> = {
  Order: order,
  ListedOrder: { ...order, createdAt: now },
  Authorization: {
    authorizationId: actionId,
    orderId: uuid,
    kind: 'erc3009',
    payerAddress: buyer,
    status: 'settled',
    txId,
    createdAt: now,
  },
  Refund: refund,
  Shipment: shipment,
  OrderShipments: { shipments: [shipment] },
  RefundList: { data: [refund] },
  QuotedPaymentOption: {
    chain: 'base-sepolia',
    currency: 'usdc',
    amount: '30',
    fiat: { amount: '30.00', currency: 'usd' },
    networkFee: { amount: '0.00018', currency: 'eth', fiat: { amount: '0.54', currency: 'usd' } },
    balance: '12.5',
    sufficient: false,
    missing: [{ amount: '17.5', currency: 'usdc' }],
  },
  AcceptedPaymentMethod: {
    method: 'base-sepolia',
    currencies: [
      { currency: 'eth', decimals: 18 },
      { currency: 'usdc', decimals: 6, contractAddress: '0x036CbD53842c5426634e7929541eC2318f3dCF7e' },
    ],
  },
  OrderTimeline: {
    data: [
      { type: 'created', at: '2026-11-22T10:00:00.000Z' },
      { type: 'quote', at: '2026-11-22T10:00:00.000Z', status: 'valid' },
    ],
  },
  ResentWebhook: {
    eventId: 'msg_2mD9y0vQm8cPpI0l5uR7tWzX',
    type: 'orders.payment.succeeded',
    endpointIds: [uuid],
  },
  ResentMail: { mailId: uuid, kind: 'order-delivered', recipient: 'ada@example.com' },
  OrderSummary: {
    since: '2026-11-21T10:00:00.000Z',
    orders: { quote: 1, payment: 2, delivery: 0, completed: 7 },
    sales: [
      { chain: 'base-sepolia', currency: 'eth', amount: '0.07', refunded: '0.01', net: '0.06', orders: 7 },
    ],
    attention: {
      captures: [],
      refunds: [],
      webhooks: [],
      failingWebhooks: [],
      parcels: [{ orderId: uuid, lineItems: 1 }],
      deliveries: [],
      mails: [],
    },
  },
  ApiKey: apiKey,
  ApiKeyList: { data: [apiKey] },
  CreatedApiKey: { ...apiKey, key: 'sk_staging_…' },
  PaymentLink: paymentLink,
  PaymentLinkList: { data: [paymentLink] },
  WebhookEndpoint: webhookEndpoint,
  WebhookEndpointList: { data: [webhookEndpoint] },
  WebhookEndpointSecret: { ...webhookEndpoint, secret: 'whsec_…' },
  WebhookDelivery: webhookDelivery,
  WebhookDeliveryList: { data: [webhookDelivery] },
  AuditEntry: auditEntry,
  AuditEntryList: { data: [auditEntry] },
  StoredFile: {
    url: picture,
    gatewayUrl: picture.replace('ipfs://', 'https://pay.example/ipfs/'),
    contentType: 'image/png',
    size: 48_213,
  },
  Collection: {
    id: 'medals',
    metadata: { name: 'Medals', description: 'For those who came first', imageUrl: picture, symbol: 'MEDAL' },
    fungibility: 'non-fungible',
    onChain: { chain: 'base-sepolia', type: 'erc-721', contractAddress },
    transferable: true,
    supplyLimit: 100,
    supply: { minted: 7, reserved: 0 },
    payments: { price: '0.012', currency: 'eth', recipientAddress: seller },
    actionId,
  },
  Nft: {
    id: 'medal-7',
    metadata: tokenMetadata,
    onChain: { status: 'success', chain: 'base-sepolia', contractAddress, tokenId: '7', owner: buyer, txId },
    actionId,
  },
  Template: {
    templateId,
    metadata: tokenMetadata,
    onChain: { tokenId: 1 },
    supply: { limit: 100, minted: 7 },
  },
  Action: {
    actionId,
    action: 'nfts.create',
    status: 'succeeded',
    data: {
      collection: { id: 'medals', contractAddress },
      token: { id: 'medal-7', owner: { walletAddress: buyer }, tokenId: '7' },
      txId,
    },
    startedAt: now,
    completedAt: '2026-03-02T12:00:04.000Z',
    resource: 'http://localhost:4000/api/2022-06-09/collections/medals/nfts/medal-7',
  },
  Wallet: {
    type: 'evm-smart-wallet',
    address: smartWallet,
    config: {
      adminSigner: { type: 'evm-keypair', address: seller, locator: `evm-keypair:${seller}` },
    },
    linkedUser: 'email:ada@example.com',
    createdAt: now,
  },
  Transaction: transaction,
  Balance: { token: 'usdc', decimals: 6, balances: { 'base-sepolia': '25000000', total: '25000000' } },
  WalletToken: {
    chain: 'base-sepolia',
    contractAddress,
    tokenId: '7',
    metadata: tokenMetadata,
    locator: `base-sepolia:${contractAddress}:7`,
    tokenStandard: 'ERC-721',
  },
  ReasonError: {
    error: {
      reason: 'execution_reverted',
      message: 'The transaction would revert',
      revert: { type: 'contract_call', reason: 'ERC20: transfer amount exceeds balance' },
    },
    message: 'The transaction would revert: ERC20: transfer amount exceeds balance',
  },
  Credential: {
    '@context': [
      'https://www.w3.org/2018/credentials/v1',
      'https://w3id.org/security/suites/eip712sig-2021/v1',
    ],
    id: `urn:uuid:${uuid}`,
    type: ['VerifiableCredential', 'NftOwnershipCredential'],
    issuer: { id: `did:pkh:eip155:84532:${seller}` },
    issuanceDate: now,
    expirationDate: '2026-04-01T12:00:00.000Z',
    credentialSubject: { id: `did:pkh:eip155:84532:${buyer}` },
    nft: { tokenId: '7', chain: 'base-sepolia', contractAddress },
    proof: {
      type: 'EthereumEip712Signature2021',
      created: now,
      proofPurpose: 'assertionMethod',
      verificationMethod: `did:pkh:eip155:84532:${seller}#blockchainAccountId`,
      proofValue: `${txId}${operationHash.slice(2)}1b`,
    },
  },
}

const newToken = { recipient: 'email:ada@example.com:base-sepolia', metadata: tokenMetadata }
const newCollection = {
  chain: 'base-sepolia',
  metadata: { name: 'Medals', description: 'For those who came first', imageUrl: picture, symbol: 'MEDAL' },
  payments: { price: '0.012', currency: 'eth', recipientAddress: seller },
}
const payment = { method: 'base-sepolia', currency: 'eth', payerAddress: buyer }

/** What a caller may send, by the operation. Of others the document shows what they require. */
const bodyExamples: Readonly<Record<string, unknown>> = {
  createOrder: {
    recipient: { walletAddress: buyer },
    payment,
    lineItems: { collectionLocator: 'kassa:medals', callData: { quantity: 1, totalPrice: '0.012' } },
  },
  editOrder: { payment: { ...payment, currency: 'usdc' } },
  createAuthorization: {
    kind: 'erc3009',
    payerAddress: buyer,
    domain: {
      name: 'USDC',
      version: '2',
      chainId: 84532,
      verifyingContract: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    },
    message: {
      from: buyer,
      to: contractAddress,
      value: '30000000',
      validAfter: '0',
      validBefore: '1772453400',
      nonce: operationHash,
    },
    signature: `${txId}${operationHash.slice(2)}1b`,
  },
  reportPayment: { type: 'crypto-tx-id', txId },
  createRefund: { lineItems: [{ index: 0 }], reason: 'The print was damaged' },
  createShipment: {
    carrier: 'DHL',
    trackingNumber: '00340434161094042557',
    trackingUrl: shipment.trackingUrl,
  },
  cancelShipment: { reason: 'Still in the shop' },
  createApiKey: { name: 'Shop server', scopes: ['orders.create', 'orders.read'] },
  rollApiKey: { keepHours: 24 },
  createPaymentLink: {
    lineItems: [{ collectionLocator: 'kassa:dunes-at-dusk' }],
    maxQuantity: 5,
    maxUses: 100,
    expiresAt: '2026-12-31T23:00:00Z',
  },
  updatePaymentLink: { status: 'deactivated' },
  createWebhookEndpoint: {
    url: 'https://shop.example/hook',
    eventTypes: ['orders.payment.succeeded', 'orders.delivery.completed'],
  },
  updateWebhookEndpoint: { status: 'disabled' },
  rotateWebhookSecret: { keepHours: 24 },
  createCollection: newCollection,
  putCollection: newCollection,
  updateCollection: { supplyLimit: 200, payments: { price: '0.015' } },
  createTemplate: { metadata: tokenMetadata, supply: { limit: 100 } },
  putTemplate: { metadata: tokenMetadata, supply: { limit: 100 } },
  updateTemplate: { metadata: { description: 'First place, 2026' }, supply: { limit: 50 } },
  mintNft: newToken,
  putNft: newToken,
  updateNft: { metadata: { ...tokenMetadata, description: 'First place, 2026' } },
  createWallet: {
    type: 'evm-smart-wallet',
    config: { adminSigner: { type: 'evm-keypair', address: seller } },
    linkedUser: 'email:ada@example.com',
  },
  createTransaction: { params: transaction.params },
  approveTransaction: {
    approvals: [{ signer: approval.signer, signature: `${txId}${operationHash.slice(2)}1b` }],
  },
  fundWallet: { amount: 25, token: 'usdxm', chain: 'base-sepolia' },
}

/** Values of fields and parameters that have no larger example around them. */
const fieldExamples: Readonly<Record<string, unknown>> = {
  clientSecret: 'cs_9cQ1v0mJt7yZ4b2R8dWk5uXn3sLp6eHa0fGiTqOjMvE',
  nextCursor: 'eyJhdCI6IjIwMjYtMDMtMDJUMTI6MDA6MDAuMDAwWiJ9',
  page: 1,
  perPage: 10,
  total: 1,
  orderId: uuid,
  mailId: uuid,
  shipmentId: uuid,
  keyId: uuid,
  endpointId: uuid,
  eventId: 'msg_7Zc0u3S1k2bq9XhVt4Yp6WfA',
  collectionId: 'medals',
  nftId: 'medal-7',
  templateId,
  actionId,
  transactionId,
}

/** Left out of examples: a usual answer does not have them. */
const unusual: ReadonlySet<string> = new Set(['previousCursor'])

const fits = (value: unknown, { type, pattern, enum: members }: JsonSchema): boolean => {
  const types: readonly unknown[] = [type].flat()
  const isOfType = types.includes(typeof value) || (types.includes('integer') && Number.isInteger(value))
  const isMember = members === undefined || members.some((member) => member === value)
  return isOfType && isMember && (pattern === undefined || new RegExp(pattern).test(String(value)))
}

/**
 * Writes an example of a value: the named one, what the field's own description shows, or one made of its parts.
 *
 * @param name - Of the field or parameter.
 * @returns Undefined where nothing believable is known.
 */
export const writeExample = (
  schema: JsonSchema,
  components: Components,
  { name = '', isInput = false }: { name?: string; isInput?: boolean } = {},
): unknown => {
  const inner = (one: JsonSchema, of = name) => writeExample(one, components, { name: of, isInput })
  const component = schema.$ref?.split('/').at(-1)
  if (component !== undefined) return namedExamples[component] ?? inner(components[component] ?? {})
  if (schema.examples?.length) return schema.examples[0]
  if (schema.const !== undefined) return schema.const
  const known = fieldExamples[name]
  if (known !== undefined && fits(known, schema)) return known
  const form = (schema.oneOf ?? schema.anyOf)?.[0]
  if (form) return inner(form as JsonSchema)
  if (schema.properties) {
    const required = schema.required ?? []
    const fields = Object.entries(schema.properties as Record<string, JsonSchema>)
      .filter(([field]) => (isInput ? required.includes(field) : !unusual.has(field)))
      .map(([field, part]) => [field, inner(part, field)] as const)
    return Object.fromEntries(fields.filter(([, value]) => value !== undefined))
  }
  if (schema.items) return [inner(schema.items as JsonSchema)]
  return schema.default ?? schema.enum?.[0]
}

/** Writes what a caller may send to an operation. */
export const writeBodyExample = (operationId: string, schema: JsonSchema, components: Components): unknown =>
  bodyExamples[operationId] ?? writeExample(schema, components, { isInput: true })
