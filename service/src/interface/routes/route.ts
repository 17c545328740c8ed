import { clip } from 'kassa/engine'
import { type Operation, type OperationName, operations } from 'kassa/schema'
import * as z from 'zod/mini'
import type { Call, Reply } from '#base/call.js'
import type { Deps } from '#base/deps.js'
import { ServiceError, type ServiceErrorCode } from '#base/errors.js'
import { listIgnored } from '#base/lib/listIgnored.js'
import { parseInput } from '#base/lib/parseInput.js'
import type { RouteAuth } from '../http/authenticate.js'

type Path = Readonly<Record<string, string>>

/** What a request shows beside its query and body. */
type RequestFacts = {
  params: Path
  /** The network that the request counts against. */
  network: string
  /** The id of the last event that the caller received of a stream. */
  lastEventId?: string | undefined
  /** The bytes of an uploaded file. */
  file?: Uint8Array | undefined
}

/** The caller's input before it is parsed. */
export type RawInput = RequestFacts & { query: unknown; body: unknown }

/** The parts of an operation that do not depend on its input. */
type RouteBase = {
  summary: string
  description?: string
  answer: { status: 200 | 201; schema: z.ZodMiniType; description: string }
  /** Another successful answer with the same schema, if nothing had to be created. */
  otherAnswer?: { status: 200; description: string }
  refusals: readonly ServiceErrorCode[]
  /** Whether a request without a body has the same meaning as one with an empty object. */
  isBodyOptional?: boolean
  /** `text` if errors are `{error: <text>}`; `{error: true, message}` everywhere else. */
  errorForm?: 'text'
  /** Whether the answer has an `ETag` and can be revalidated. */
  isRevalidated?: boolean
  /** Whether the answer is a stream of server-sent events, whose data is what `answer` describes. */
  isStream?: boolean
  /** Whether the body is a form whose field `file` is a file. The same file again has the same effect. */
  isUpload?: boolean
  /** Whether the answer is a stream of CSV. */
  isCsv?: boolean
  deadlineMs?: number
}

/** An answer, what it says of the resource for the audit log, and the fields of the body that were ignored. */
type RouteReply = Reply & { resource?: string; ignored: readonly string[] }

/** One operation of the interface: its serving and its documentation, declared once. */
export type Route = RouteBase & {
  operationId: OperationName
  method: Lowercase<Operation['method']>
  /** Below `{base_url}`, with `{parameters}` in braces. */
  path: string
  auth: RouteAuth
  query?: z.ZodMiniType
  body?: z.ZodMiniType
  run(deps: Deps, call: Call, input: RawInput): Promise<RouteReply>
}

type Declaration<Query, Body, Result> = RouteBase & {
  query?: z.ZodMiniType<Query>
  body?: z.ZodMiniType<Body>
  /**
   * The documented schema of a body that `run` gets unparsed, because only the verb knows its requirements.
   */
  documentedBody?: z.ZodMiniType
  run(deps: Deps, call: Call, input: RequestFacts & { query: Query; body: Body }): Promise<Result>
  /**
   * Converts the result of `run` to the answer, if it is not the answer itself with the status of `answer`.
   */
  toReply?(result: Result): Reply
  /** What the audit log says of the resource besides the ids in the path, such as the id of a new one. No secrets. */
  nameResource?(result: Result): string
}

const none = z.unknown()

/**
 * Refuses a query parameter that a route does not take. A list would otherwise be answered without the filter that
 * the caller asked for.
 */
const assertKnownParameters = (query: z.ZodMiniType, given: unknown): void => {
  if (!(query instanceof z.ZodMiniObject) || typeof given !== 'object' || given === null) return
  const known = Object.keys(query.shape)
  const unknown = Object.keys(given).filter((name) => !known.includes(name))
  if (!unknown.length) return
  const message = `not a parameter of this request, which takes ${known.join(', ')}`
  throw new ServiceError('input-invalid', unknown.map((name) => `${clip(name)}: ${message}`).join('; '))
}

/** Returns a route's path in the router's form. */
export const servedPath = ({ path }: Pick<Route, 'path'>): string =>
  `/api${path.replaceAll(/\{(\w+)\}/g, ':$1')}`

/** Declares the route of an operation, whose verb is called with the parsed input. */
export const defineRoute = <Query = unknown, Body = unknown, Result = unknown>(
  operationId: OperationName,
  { toReply, nameResource, documentedBody, ...declared }: Declaration<Query, Body, Result>,
): Route => {
  const row: Operation & { scope: RouteAuth['scope'] } = operations[operationId]
  const { method, path, scope, isSecretAccepted } = row
  // Without a schema the type parameter is `unknown`, which `none` parses.
  const query = declared.query ?? (none as z.ZodMiniType<Query>)
  const body = declared.body ?? (none as z.ZodMiniType<Body>)
  return {
    ...declared,
    operationId,
    method: method.toLowerCase() as Lowercase<Operation['method']>,
    path,
    auth: { scope, ...(isSecretAccepted && { isSecretAccepted }) },
    ...(documentedBody && { body: documentedBody }),
    run: async (deps, call, raw) => {
      assertKnownParameters(query, raw.query)
      const parsed = parseInput(body, raw.body, 'body')
      const result = await declared.run(deps, call, {
        ...raw,
        query: parseInput(query, raw.query, 'query'),
        body: parsed,
      })
      const reply = toReply?.(result) ?? { status: declared.answer.status, body: result }
      const ignored = listIgnored(raw.body, parsed)
      return { ...reply, ignored, ...(nameResource && { resource: nameResource(result) }) }
    },
  }
}
