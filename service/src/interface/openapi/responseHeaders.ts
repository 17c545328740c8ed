import { ignoredFieldsHeader } from 'kassa/schema'

const header = (description: string, type: 'string' | 'integer') => ({ description, schema: { type } })

/** The headers that answers have, by the name under which the document describes each once. */
export const responseHeaders = {
  'x-request-id': header('Names this request to support', 'string'),
  [ignoredFieldsHeader]: header(
    'Names the fields of the body that the service does not know and has ignored. Staging only',
    'string',
  ),
  ETag: header('Names this answer, for `If-None-Match`', 'string'),
  'Retry-After': header('Seconds to wait before asking again', 'integer'),
  'RateLimit-Limit': header('How many requests a minute has', 'integer'),
  'RateLimit-Remaining': header('How many of them are left', 'integer'),
  'RateLimit-Reset': header('Seconds until all of them are back', 'integer'),
} as const

type Header = keyof typeof responseHeaders

const refer = (...names: Header[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** Answers that ask to try again later. */
const isLater = (status: number): boolean => [429, 503, 504].includes(status)

/** The headers of an answer of a status: who was not let in is not counted. */
export const headersOf = (status: number, { isRevalidated = false, hasBody = false } = {}) =>
  refer(
    'x-request-id',
    ...(hasBody && status < 400 ? ([ignoredFieldsHeader] as const) : []),
    ...(isRevalidated && status < 400 ? (['ETag'] as const) : []),
    ...(isLater(status) ? (['Retry-After'] as const) : []),
    ...(status === 401 || status === 403
      ? []
      : (['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const)),
  )
