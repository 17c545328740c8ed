import type { Route } from '../routes/route.js'
import { writeBodyExample, writeExample } from './examples.js'
import './orderFields.js'
import { pathParameter } from './pathParameters.js'
import { responseHeaders } from './responseHeaders.js'
import { type Components, type JsonSchema, toJsonSchema } from './toJsonSchema.js'
import './tokenAnswers.js'
import './tokenFields.js'
import './walletAnswers.js'
import './walletFields.js'
import { writeWebhooks } from './webhooks.js'
import { jsonContent, writeResponses } from './writeResponses.js'

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
    'The same key and body within 24 hours give the first answer again, whatever the order of the fields. With a client key it has 22 characters or more, such as a UUID',
  type: 'string',
  minLength: 1,
  maxLength: 255,
}
const knownTag: JsonSchema = { description: 'The `ETag` of the answer that is known already', type: 'string' }

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

/** What a path is about: the last thing in it that has operations of its own. */
const writeTag = ({ path }: Route): string => {
  const inWallets = /\/(transactions|balances|credentials)(\/|$)/.exec(path)?.[1]
  return inWallets ?? /\/collections\/\{\w+\}\/(\w+)/.exec(path)?.[1] ?? path.split('/')[2] ?? ''
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
