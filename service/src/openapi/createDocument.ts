import { ChosenId } from 'kassa/schema'
import { serviceErrors } from '../errors.js'
import type { Route } from '../routes/route.js'
import { ErrorAnswer } from './errorAnswer.js'
import { headersOf, responseHeaders } from './responseHeaders.js'
import { type Components, type JsonSchema, toJsonSchema } from './toJsonSchema.js'
import './tokenAnswers.js'
import './tokenFields.js'
import { writeWebhooks } from './webhooks.js'

type Json = Record<string, unknown>

const statusText: Readonly<Record<number, string>> = {
  400: 'An argument is missing or wrong; the message names it',
  401: 'The key or client secret is missing, malformed or unknown',
  403: 'The key lacks the scope, or the origin is not allowed',
  404: 'There is no such thing, or it is not yours',
  409: 'Too late, sold out, the id is taken, or the idempotency key was used with another body',
  413: 'The body is over 1 MiB',
  429: 'Too many requests',
  500: 'A bug: contact support with the request id',
  503: 'A chain node or the database is away: try again in a few minutes',
  504: 'A timeout',
}

const json = (schema: unknown) => ({ content: { 'application/json': { schema } } })

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

const uuid: JsonSchema = { type: 'string', format: 'uuid' }
const idempotencyKey: JsonSchema = {
  description: 'The same key and body within 24 hours give the first answer again',
  type: 'string',
  minLength: 1,
  maxLength: 255,
}
const knownTag: JsonSchema = { description: 'The `ETag` of the answer that is known already', type: 'string' }

/** Ids that a caller chooses; all others are UUIDs of the service. */
const chosenIds: readonly string[] = ['collectionId', 'nftId']

const writeParameters = (route: Route, components: Components): unknown[] => {
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const isChosen = chosenIds.includes(name)
    const schema = isChosen ? toJsonSchema(ChosenId, 'input', components) : uuid
    return parameter('path', name, schema, true)
  })
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

const writeResponses = (route: Route, components: Components): Json => {
  const statuses = new Set([
    ...route.refusals.map((code) => serviceErrors[code].status),
    // Of an idempotency key that is no key, or was used with another body.
    ...(route.method === 'post' ? [400, 409] : []),
    401,
    403,
    429,
    500,
    503,
  ])
  const refusals = [...statuses]
    .sort((a, b) => a - b)
    .map((status) => [
      String(status),
      {
        description: statusText[status] ?? '',
        headers: headersOf(status),
        ...json(toJsonSchema(ErrorAnswer, 'output', components)),
      },
    ])
  return {
    [String(route.answer.status)]: {
      description: route.answer.description,
      headers: headersOf(route.answer.status, route.isRevalidated),
      ...json(toJsonSchema(route.answer.schema, 'output', components)),
    },
    ...(route.isRevalidated && {
      '304': { description: 'Nothing changed since `If-None-Match`', headers: headersOf(304, true) },
    }),
    ...Object.fromEntries(refusals),
  }
}

/** What a path is about: the last thing in it that has operations of its own. */
const writeTag = ({ path }: Route): string =>
  /\/(templates|nfts)(\/|$)/.exec(path)?.[1] ?? path.split('/')[2] ?? ''

const writeScopes = ({ auth }: Route): string =>
  [auth.scope]
    .flat()
    .map((scope) => `\`${scope}\``)
    .join(' or ')

const writeOperation = (route: Route, components: Components): Json => ({
  operationId: route.operationId,
  summary: route.summary,
  description: `${route.description ? `${route.description}\n\n` : ''}Scope: ${writeScopes(route)}`,
  tags: [writeTag(route)],
  security: [{ apiKey: [] }, ...(route.auth.isSecretAccepted ? [{ clientSecret: [] }] : [])],
  parameters: writeParameters(route, components),
  ...(route.body && {
    requestBody: { required: true, ...json(toJsonSchema(route.body, 'input', components)) },
  }),
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
      description:
        'Headless checkout for onchain goods: collections and their tokens are put on chain; an order is quoted, paid on chain, and delivered.',
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
