import './tokens.js'
import './wallets.js'
import { CreateOrderBody, EditOrderBody, fields, members, Order } from 'kassa/schema'
import type { Route } from '../routes/route.js'
import { describeFields } from './describeFields.js'
import { writeBodyExample, writeExample } from './examples.js'
import { responseHeaders } from './responseHeaders.js'
import { type Components, type JsonSchema, toJsonSchema } from './toJsonSchema.js'
import { writeWebhooks } from './webhooks.js'
import { jsonContent, writeResponses } from './writeResponses.js'

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

describeFields(EditOrderBody, { locale: localeNote })

describeFields(CreateOrderBody, {
  locale: { ...localeNote, default: 'en-US' },
  'recipient.physicalAddress':
    'The shipping address. Required if a collection’s `payments.requires` lists `physical-address`',
  'payment.receiptEmail':
    'Receives the receipt once the payment is confirmed. Required if a collection’s `payments.requires` lists `receipt-email`',
  gift: 'Names the giver in the e-mail to the recipient: an extension of the interface',
  'gift.giverName': {
    description: 'The giver’s name. By default the e-mail shows the shortened address that paid',
    examples: ['Grace'],
  },
  'gift.note': { description: 'Quoted in the e-mail to the recipient', examples: ['Happy birthday!'] },
})

describeFields(Order, {
  'lineItems.delivery.recipient.physicalAddress': `The shipping address. ${forMerchant}`,
  'payment.receiptEmail': `Receives the receipt once the payment is confirmed. ${forMerchant}`,
  gift: `As it was sent with create order: an extension of the interface. ${forMerchant}`,
  'gift.giverName': 'The giver’s name',
  'gift.note': 'The giver’s message to the recipient',
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
const knownTag: JsonSchema = { description: 'The `ETag` of an earlier answer', type: 'string' }

const writePathParameter = (name: string, components: Components) => {
  const schema = pathParameter(name, components)
  return { ...parameter('path', name, schema, true), example: writeExample(schema, components, { name }) }
}

const writeParameters = (route: Route, components: Components): unknown[] => {
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) =>
    writePathParameter(name, components),
  )
  const query = route.query ? toJsonSchema(route.query, 'input', components) : {}
  const required: unknown = query.required
  const inQuery = Object.entries((query.properties ?? {}) as Record<string, JsonSchema>).map(
    ([name, schema]) => parameter('query', name, schema, Array.isArray(required) && required.includes(name)),
  )
  const inHeader = [
    ...(route.method === 'post' ? [parameter('header', 'x-idempotency-key', idempotencyKey, false)] : []),
    ...(route.isRevalidated ? [parameter('header', 'If-None-Match', knownTag, false)] : []),
  ]
  return [...inPath, ...inQuery, ...inHeader]
}

const taggedPath = /\/collections\/\{\w+\}\/(nfts|templates)|\/(transactions|balances|credentials)(?=\/|$)/

/** The noun that an operation is about. */
const writeTag = ({ path }: Route): string => {
  const [, inCollection, inWallet] = taggedPath.exec(path) ?? []
  return inCollection ?? inWallet ?? path.split('/')[2] ?? ''
}

const writeScopes = ({ auth }: Route): string =>
  [auth.scope]
    .flat()
    .map((scope) => `\`${scope}\``)
    .join(' or ')

const writeBody = (route: Route, body: NonNullable<Route['body']>, components: Components): Json => {
  const schema = toJsonSchema(body, 'input', components)
  const example = writeBodyExample(route.operationId, schema, components)
  return { required: true, ...jsonContent(schema, example) }
}

const writeOperation = (route: Route, components: Components): Json => ({
  operationId: route.operationId,
  summary: route.summary,
  description: `${route.description ? `${route.description}\n\n` : ''}Scope: ${writeScopes(route)}`,
  tags: [writeTag(route)],
  security: [{ apiKey: [] }, ...(route.auth.isSecretAccepted ? [{ clientSecret: [] }] : [])],
  parameters: writeParameters(route, components),
  ...(route.body && { requestBody: writeBody(route, route.body, components) }),
  responses: writeResponses(route, components),
})

/** Describes the interface as an OpenAPI 3.1 document, from the table and the schemas that serve it. */
export const createDocument = (routes: readonly Route[], publicUrl: string): Json => {
  const components: Components = {}
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: writeOperation(route, components) }
  }
  const webhooks = writeWebhooks(components)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Kassa',
      version: '2022-06-09',
      license: { name: 'MIT', identifier: 'MIT' },
      description:
        'Headless checkout for onchain goods: collections and their tokens are put on chain; an order is quoted, paid on chain, and delivered; wallets hold what was bought, and send it on.',
    },
    servers: [{ url: `${publicUrl}/api` }],
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
