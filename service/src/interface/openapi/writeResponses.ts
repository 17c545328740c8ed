import * as z from 'zod/mini'
import { serviceErrors } from '#base/errors.js'
import type { Route } from '../routes/route.js'
import { ErrorAnswer, ReasonErrorAnswer, TextErrorAnswer } from './errorAnswer.js'
import { writeExample } from './examples.js'
import { headersOf } from './responseHeaders.js'
import { type Components, type JsonSchema, toJsonSchema } from './toJsonSchema.js'

type Json = Record<string, unknown>

/** What each status of a refusal means. */
export const statusText: Readonly<Record<number, string>> = {
  400: 'An argument is missing or wrong; the message names it',
  401: 'The key or client secret is missing, malformed or unknown',
  403: 'The key lacks the scope, or the origin is not allowed',
  404: 'There is no such thing, or it is not yours',
  409: 'Too late, sold out, the id is taken, or the idempotency key was used with another body',
  413: 'The body is over 1 MiB, or an uploaded file over 20 MiB',
  422: 'It makes sense, and cannot be done: a chain would refuse it, or this deployment does not do it',
  429: 'Too many requests',
  500: 'A bug: contact support with the request id',
  503: 'A chain node or the database is away: try again in a few minutes',
  504: 'A timeout',
}

/** A body of JSON, as requests and answers describe theirs. */
export const jsonContent = (schema: unknown, example: unknown) => ({
  content: { 'application/json': { schema, ...(example !== undefined && { example }) } },
})

/** An answer that is a stream of server-sent events, whose data is an example. */
const eventsContent = (schema: JsonSchema, example: unknown) => ({
  content: {
    'text/event-stream': {
      schema: {
        type: 'string',
        description:
          'Server-sent events named `order`. The data of each is an order, as get order answers it',
        contentMediaType: 'application/json',
        contentSchema: schema,
      },
      example: `id: "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"\nevent: order\ndata: ${JSON.stringify(example)}\n\n`,
    },
  },
})

/** An answer that is CSV. */
const csvContent = {
  content: {
    'text/csv': {
      schema: { type: 'string', description: 'A row of titles, then a row for each order' },
      example:
        'orderId,createdAt,phase\nb4d1f0f2-6f0f-4a53-9f57-3a1f2c0f7c11,2026-03-02T12:00:00.000Z,payment\n',
    },
  },
}

/** What a refusal says, in the form that the route has for it. */
const exampleOf = (
  form: z.ZodMiniType,
  schema: JsonSchema,
  status: number,
  components: Components,
): unknown => {
  const message = statusText[status] ?? ''
  if (form === TextErrorAnswer) return { error: message }
  return form === ErrorAnswer ? { error: true, message } : writeExample(schema, components)
}

const statusesOf = ({ method, refusals, isUpload }: Route): number[] => {
  const statuses = new Set([
    ...refusals.map((code) => serviceErrors[code].status),
    // Of an idempotency key that is no key, or was used with another body.
    ...(method === 'post' && !isUpload ? [400, 409] : []),
    // Whatever an operation takes, a body that is too long is refused before it is read.
    ...(method === 'get' ? [] : [413]),
    401,
    403,
    429,
    500,
    503,
  ])
  return [...statuses].sort((a, b) => a - b)
}

/** How a route words its refusals; those of a chain have their reasons beside the sentence. */
const refusalOf = ({ errorForm, refusals }: Route, status: number): z.ZodMiniType => {
  if (errorForm === 'text') return TextErrorAnswer
  if (status !== 422 || !refusals.includes('reverted')) return ErrorAnswer
  return refusals.includes('unprocessable') ? z.union([ReasonErrorAnswer, ErrorAnswer]) : ReasonErrorAnswer
}

/** Describes every answer of a route, by its status. */
export const writeResponses = (route: Route, components: Components): Json => {
  const { method, answer, otherAnswer, isRevalidated, isStream, isCsv } = route
  const hasBody = method !== 'get' && method !== 'delete'
  const schema: JsonSchema = toJsonSchema(answer.schema, 'output', components)
  const example = writeExample(schema, components)
  const content = isCsv
    ? csvContent
    : isStream
      ? eventsContent(schema, example)
      : jsonContent(schema, example)
  const successes = [answer, ...(otherAnswer ? [otherAnswer] : [])].map(({ status, description }) => [
    String(status),
    { description, headers: headersOf(status, { isRevalidated, hasBody }), ...content },
  ])
  const refusals = statusesOf(route).map((status) => {
    const form = refusalOf(route, status)
    const refusal = toJsonSchema(form, 'output', components)
    const content = jsonContent(refusal, exampleOf(form, refusal, status, components))
    const described = { description: statusText[status] ?? '', headers: headersOf(status), ...content }
    return [String(status), described]
  })
  return {
    ...Object.fromEntries(successes),
    ...(isRevalidated && {
      '304': {
        description: 'Nothing changed since `If-None-Match`',
        headers: headersOf(304, { isRevalidated }),
      },
    }),
    ...Object.fromEntries(refusals),
  }
}
