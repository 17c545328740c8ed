import './tokens.js'
import './wallets.js'
import {
  CreateOrderBody,
  CreatePaymentLinkBody,
  EditOrderBody,
  fields,
  members,
  Order,
  UpdatePaymentLinkBody,
} from 'kassa/schema'
import type { Route } from '../routes/route.js'
import { writeCodeSamples } from './codeSamples.js'
import { describeFields } from './describeFields.js'
import { writeBodyExample, writeExample } from './examples.js'
import { introduction } from './introduction.js'
import { responseHeaders } from './responseHeaders.js'
import { type Components, type JsonSchema, toJsonSchema } from './toJsonSchema.js'
import { writeWebhooks } from './webhooks.js'
import { jsonContent, writeResponses } from './writeResponses.js'
import { writeX402Paths } from './x402.js'

const uuid: JsonSchema = { type: 'string', format: 'uuid' }

const address = '(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})'
const chain = '[a-z][a-z0-9-]*'
const user = `(${members.userKinds.join('|')}):.+`
const someAddress = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** Parameters that are neither a UUID of the service nor an id that a caller chose. */
const locators: Readonly<Record<string, JsonSchema>> = {
  walletLocator: {
    description:
      'The wallet: its address, or a user and the type of wallet: `email:<email>:<walletType>`, `userId:<userId>:<walletType>`, `phoneNumber:<phoneNumber>:<walletType>`, `twitter:<handle>:<walletType>` or `x:<handle>:<walletType>`. URL-encoded',
    type: 'string',
    pattern: `^(${address}|${user}:(${members.walletTypes.join('|')}))$`,
    examples: [someAddress, 'email:ada@example.com:evm-smart-wallet', 'userId:42:evm-mpc-wallet'],
  },
  identifier: {
    description:
      'The holder: `<chain>:<address>`, or a user: `email:<email>:<chain>`, `userId:<userId>:<chain>`. URL-encoded',
    type: 'string',
    pattern: `^(${chain}:${address}|${user}:${chain})$`,
    examples: [`base-sepolia:${someAddress}`, 'email:ada@example.com:base-sepolia'],
  },
  refundId: {
    description: 'The refund: `refund:<orderId>:<number>`. URL-encoded',
    type: 'string',
    pattern: '^refund:[0-9a-f-]{36}:(0|[1-9]\\d{0,8})$',
    examples: ['refund:b4d1f0f2-6f0f-4a53-9f57-3a1f2c0f7c11:0'],
  },
  paymentLinkId: {
    description: 'The payment link, as the end of its `url` has it',
    type: 'string',
    pattern: '^pl_[A-Za-z0-9_-]{24}$',
    examples: ['pl_x2Vd0m4Tq8sKcY1nB7rLwEhA'],
  },
  eventId: {
    description: 'The event, as the header `webhook-id` and the timeline of its order have it',
    type: 'string',
    pattern: '^msg_[A-Za-z0-9_-]+$',
    examples: ['msg_7Zc0u3S1k2bq9XhVt4Yp6WfA'],
  },
  nftLocator: {
    description: 'The token: `<chain>:<contractAddress>:<tokenId>`',
    type: 'string',
    pattern: `^${chain}:${address}:(0|[1-9]\\d{0,77})$`,
    examples: [`base-sepolia:${someAddress}:7`],
  },
}

/** Ids that a caller chooses; those that are no locators either are UUIDs of the service. */
const chosenIds: readonly string[] = ['collectionId', 'nftId']

/** What a parameter in a path looks like, by its name. */
const pathParameter = (name: string, components: Components): JsonSchema =>
  chosenIds.includes(name) ? toJsonSchema(fields.ChosenId, 'input', components) : (locators[name] ?? uuid)

const forMerchant = 'Only in answers to server keys, and in webhooks'

const localeNote = {
  description:
    'The language of the order and its e-mails, as a BCP 47 tag. Falls back to its primary language, then to English',
  format: 'bcp47',
  examples: ['de-DE'],
}

const promotionCode =
  'Lowers the price, as the collection’s `sale.promotionCodes` say: an extension of the interface'

const allowListProof =
  'Shows that the recipient’s wallet is on the allow-list of a phase that has a Merkle root: an extension of the interface'

const refundAddress = {
  description:
    'Where refunds go, such as an account of the buyer who pays from an exchange. By default they go to the account that paid',
  examples: [someAddress],
}

describeFields(EditOrderBody, {
  'payment.refundAddress': {
    ...refundAddress,
    description: `${refundAddress.description}. It may be sent alone, also while \`payment.refundHeld.reason\` is \`contract-payer\``,
  },
  locale: localeNote,
  allowListProof,
  promotionCode: { description: `${promotionCode}. null removes the code`, examples: ['SUMMER-20'] },
})

const successUrl =
  'Where the page leads after the delivery, with the order’s id as the parameter `orderId`: a page of an origin that a client key of the project allows'

describeFields(CreatePaymentLinkBody, {
  lineItems: 'What each order of the link buys, at the price of the day. Either this or `orderId`',
  orderId: 'An order whose line items each order of the link buys again',
  title: 'What the page and its preview are called. By default the name of the first line item',
  maxQuantity:
    'Lets a buyer choose how many to buy, up to this number, of a link with one line item. `quantity` is what the page begins with',
  payment:
    'How orders begin. Buyers may choose another way that the collection accepts. By default the chain of the collection, in the currency of its price',
  maxUses: 'How many orders may be paid. An order counts while its buyer is paying it',
  expiresAt: 'When the link ends',
  successUrl,
})

describeFields(UpdatePaymentLinkBody, {
  status: '`deactivated` takes no more orders. `active` takes them again',
  maxUses: 'How many orders may be paid, or `unlimited`',
  expiresAt: 'When the link ends, or `unlimited`',
  successUrl: `${successUrl}. null removes it`,
})

describeFields(CreateOrderBody, {
  locale: { ...localeNote, default: 'en-US' },
  'recipient.physicalAddress':
    'The shipping address. Required if a collection’s `payments.requires` lists `physical-address`',
  'payment.receiptEmail':
    'Receives the receipt once the payment is confirmed. Required if a collection’s `payments.requires` lists `receipt-email`',
  'payment.refundAddress': refundAddress,
  'payment.capture': {
    description:
      'Whether an accepted payment is captured at once, or waits for `POST …/capture`. Server keys only: an extension of the interface',
    default: 'automatic',
  },
  'lineItems.quantity': 'Means `callData.quantity`: an extension of the interface',
  gift: 'Names the giver in the e-mail to the recipient: an extension of the interface',
  'gift.giverName': {
    description: 'The giver’s name. By default the e-mail shows the shortened address that paid',
    examples: ['Grace'],
  },
  'gift.note': {
    description:
      'Quoted in the e-mail to the recipient, without links or addresses. Ten a day reach one recipient',
    examples: ['Happy birthday!'],
  },
  allowListProof,
  promotionCode: {
    description: `${promotionCode}. A code that does not lower the price is refused`,
    examples: ['SUMMER-20'],
  },
})

describeFields(Order, {
  'lineItems.metadata.description':
    'Its first 1,000 characters, or fewer if the order has more than ten line items: all descriptions share 10,000. The template and its tokens have all of them',
  'lineItems.delivery.recipient.physicalAddress': `The shipping address. ${forMerchant}`,
  'payment.receiptEmail': `Receives the receipt once the payment is confirmed. ${forMerchant}`,
  'payment.received':
    'What was received for the order in the currency of the payment, with the last transaction that paid',
  'payment.received.payerAddress': 'The account that sent the transaction: an extension of the interface',
  'payment.received.paidAt': 'The time of its block: an extension of the interface',
  'payment.transactions':
    'The latest transactions that paid, at most 100. The order can be changed while all of them are `returned`: an extension of the interface',
  'payment.transactions.use':
    'Whether it is not decided about (`pending`), a `part` of the price that waits for the rest, `accepted` for the order, or goes back (`returned`)',
  'payment.refunded': 'What was sent back so far, with the latest transaction',
  'payment.refunded.causes': 'Why it was sent back, each cause once: an extension of the interface',
  'payment.refunded.reason':
    'The merchant’s words about the latest refund that the merchant requested: an extension of the interface',
  'payment.refundHeld': 'What is still to be sent back. The amount is not in `payment.refunded`',
  'payment.refundHeld.reason':
    'Why it is not sent: it is worth less than its fee, exceeds a cap, was refused by the chain, or a contract paid that the order does not name. `contract-payer` waits for `payment.refundAddress`, and the others for the operator, lower fees or room under the cap',
  'payment.refundAddress':
    'Where refunds go, if an address is named. Otherwise they go to the account that paid',
  'payment.refundClaimable':
    'What the payer’s account could not receive: the payer claims it with `claimTo(address)` of `contract`',
  gift: `As it was sent with create order: an extension of the interface. ${forMerchant}`,
  'gift.giverName': 'The giver’s name',
  'gift.note': 'The giver’s message to the recipient',
  'lineItems.quote.unavailabilityReason.availableAt':
    'When its sale starts, if that is the reason: an extension of the interface',
  'lineItems.quote.allowance':
    'How many tokens of the collection the buyer can get in all, and how many of them are left: an extension of the interface. Absent without a limit for each buyer',
  'lineItems.quote.sale':
    'The rules of its sale when it was quoted: an extension of the interface. Absent without rules. It names neither promotion codes nor the wallets of an allow-list',
  'lineItems.quote.sale.startsAt': 'When the sale opens; absent once it is open',
  'lineItems.quote.sale.endsAt': 'When the sale ends',
  'lineItems.quote.sale.phase': 'The present phase',
  'lineItems.quote.sale.phase.endsAt': 'When the next phase starts',
  'lineItems.quote.sale.phase.isForAllowList': 'Whether it is for the wallets of an allow-list',
  'lineItems.quote.sale.maxPerBuyer': 'The most that one buyer can get, by what a buyer is counted by',
  'lineItems.quote.sale.hasPromotionCodes': 'Whether there are codes that lower its price',
  'lineItems.quote.charges.discount':
    'What the promotion code takes off `unit`: an extension of the interface',
  'quote.promotion':
    'The promotion code, and what became of it when the order was quoted: an extension of the interface',
})

type Json = Record<string, unknown>

const parameter = (
  place: 'path' | 'query' | 'header',
  name: string,
  { description, ...schema }: JsonSchema,
  isRequired: boolean,
) => ({
  in: place,
  name,
  ...(description !== undefined && { description }),
  required: isRequired,
  schema,
})

const idempotencyKey: JsonSchema = {
  description:
    'Within 24 hours, the same key and body return the first answer. The order of fields does not matter. With a client key, it needs at least 22 characters, as a UUID has',
  type: 'string',
  minLength: 1,
  maxLength: 255,
}
const lastEventId: JsonSchema = {
  description: 'The id of the last event that was received',
  type: 'string',
}
const knownTag: JsonSchema = { description: 'The `ETag` of an earlier answer', type: 'string' }

const writePathParameter = (name: string, components: Components) => {
  const schema = pathParameter(name, components)
  return { ...parameter('path', name, schema, true), example: writeExample(schema, components, { name }) }
}

type Parameter = ReturnType<typeof parameter>

const writeParameters = (route: Route, components: Components): Parameter[] => {
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) =>
    writePathParameter(name, components),
  )
  const query = route.query ? toJsonSchema(route.query, 'input', components) : {}
  const required: unknown = query.required
  const inQuery = Object.entries((query.properties ?? {}) as Record<string, JsonSchema>).map(
    ([name, schema]) => parameter('query', name, schema, Array.isArray(required) && required.includes(name)),
  )
  const inHeader = [
    ...(route.method === 'post' && !route.isUpload
      ? [parameter('header', 'x-idempotency-key', idempotencyKey, false)]
      : []),
    ...(route.isStream ? [parameter('header', 'Last-Event-ID', lastEventId, false)] : []),
    ...(route.isRevalidated ? [parameter('header', 'If-None-Match', knownTag, false)] : []),
  ]
  return [...inPath, ...inQuery, ...inHeader]
}

const taggedPath = /\/collections\/\{\w+\}\/(nfts|templates)|\/(transactions|balances|credentials)(?=\/|$)/

/** The noun that an operation is about. */
const writeTag = ({ path }: Route): string => {
  const [, inCollection, inWallet] = taggedPath.exec(path) ?? []
  // An export such as `/orders.csv` is about the same as its list.
  return inCollection ?? inWallet ?? path.split(/[/.]/)[2] ?? ''
}

/** Writes a noun of a path as a heading. */
const toHeading = (noun: string): string => {
  const words = noun
    .replaceAll('-', ' ')
    .replace(/^nfts$/, 'NFTs')
    .replace(/^api\b/, 'API')
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
}

const writeScopes = ({ auth }: Route): string =>
  [auth.scope]
    .flat()
    .map((scope) => `\`${scope}\``)
    .join(' or ')

/** The form of an upload. */
const uploadBody: Json = {
  required: true,
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object',
        properties: {
          file: {
            description: 'A PNG, JPEG, GIF, WebP, AVIF or SVG picture of at most 20 MiB',
            type: 'string',
            format: 'binary',
          },
        },
        required: ['file'],
      },
      example: { file: 'The bytes of gold.png' },
    },
  },
}

const writeBody = (route: Route, body: NonNullable<Route['body']>, components: Components): Json => {
  const schema = toJsonSchema(body, 'input', components)
  const example = writeBodyExample(route.operationId, schema, components)
  return { required: !route.isBodyOptional, ...jsonContent(schema, example) }
}

/** Examples of the parameters of one place, by their names. */
const readExamples = (parameters: readonly Parameter[], place: string, components: Components): Json =>
  Object.fromEntries(
    parameters
      .filter((one) => one.in === place && one.required)
      .map(({ name, schema }) => [name, writeExample(schema, components, { name })]),
  )

const writeSamples = (route: Route, components: Components, baseUrl: string) => {
  const parameters = writeParameters(route, components)
  const { operationId, method, path, body, isUpload = false } = route
  const example = body && writeBodyExample(operationId, toJsonSchema(body, 'input', components), components)
  return writeCodeSamples({
    operationId,
    method,
    path,
    isUpload,
    baseUrl,
    pathParams: readExamples(parameters, 'path', components),
    query: readExamples(parameters, 'query', components),
    ...(example !== undefined && { body: example }),
  })
}

const writeOperation = (route: Route, components: Components, baseUrl: string): Json => ({
  operationId: route.operationId,
  summary: route.summary,
  description: `${route.description ? `${route.description}\n\n` : ''}Scope: ${writeScopes(route)}`,
  tags: [writeTag(route)],
  security: [{ apiKey: [] }, ...(route.auth.isSecretAccepted ? [{ clientSecret: [] }] : [])],
  parameters: writeParameters(route, components),
  ...(route.isUpload && { requestBody: uploadBody }),
  ...(route.body && { requestBody: writeBody(route, route.body, components) }),
  responses: writeResponses(route, components),
  'x-codeSamples': writeSamples(route, components, baseUrl),
})

/** Describes the interface as an OpenAPI 3.1 document, from the table and the schemas that serve it. */
export const createDocument = (routes: readonly Route[], publicUrl: string): Json => {
  const components: Components = {}
  const paths: Record<string, Json> = {}
  const baseUrl = `${publicUrl}/api`
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: writeOperation(route, components, baseUrl) }
  }
  Object.assign(paths, writeX402Paths(components, baseUrl))
  const webhooks = writeWebhooks(components)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Kassa',
      version: '2022-06-09',
      license: { name: 'MIT', identifier: 'MIT' },
      description: introduction,
    },
    servers: [{ url: baseUrl }],
    tags: [...new Set([...routes.map(writeTag), 'webhooks'])].map((name) => ({
      name,
      'x-displayName': toHeading(name),
    })),
    paths,
    webhooks,
    components: {
      schemas: components,
      headers: responseHeaders,
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-KEY' },
        clientSecret: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'The client secret of one order, as it is or after `Bearer `',
        },
      },
    },
  }
}
