import * as z from 'zod/mini'
import type { Call, Reply } from '../call.js'
import type { Deps } from '../deps.js'
import type { ServiceErrorCode } from '../errors.js'
import type { RouteAuth } from '../http/authenticate.js'
import { parseInput } from '../http/parseInput.js'

type Path = Readonly<Record<string, string>>

/** What a caller sent, before it is read. */
export type RawInput = { params: Path; query: unknown; body: unknown }

/** What is served and documented of an operation, whatever its input. */
type RouteBase = {
  method: 'get' | 'post' | 'put' | 'patch'
  /** Below `{base_url}`, with `{parameters}` in braces. */
  path: string
  operationId: string
  summary: string
  description?: string
  auth: RouteAuth
  answer: { status: 200 | 201; schema: z.ZodMiniType; description: string }
  /** Another way to succeed, with an answer of the same schema: nothing had to be created. */
  otherAnswer?: { status: 200; description: string }
  refusals: readonly ServiceErrorCode[]
  /** `text` where errors are `{error: <text>}`; `{error: true, message}` everywhere else. */
  errorForm?: 'text'
  /** Whether the answer has an `ETag` and can be revalidated. */
  isRevalidated?: boolean
  deadlineMs?: number
}

/** One operation of the interface: how it is served and how it is documented, declared once. */
export type Route = RouteBase & {
  query?: z.ZodMiniType
  body?: z.ZodMiniType
  run(deps: Deps, call: Call, input: RawInput): Promise<Reply>
}

type Declaration<Query, Body, Result> = RouteBase & {
  query?: z.ZodMiniType<Query>
  body?: z.ZodMiniType<Body>
  /** What the document says of a body that `run` gets as it was sent: only the verb knows what has to be in it. */
  documentedBody?: z.ZodMiniType
  run(deps: Deps, call: Call, input: { params: Path; query: Query; body: Body }): Promise<Result>
  /** What is answered, where that is not what `run` gives, with the status of `answer`. */
  toReply?(result: Result): Reply
}

const none = z.unknown()

/** The path of a route as the router has it. */
export const servedPath = ({ path }: Pick<Route, 'path'>): string =>
  `/api${path.replaceAll(/\{(\w+)\}/g, ':$1')}`

/** Declares a route, whose verb is called with what the schemas have read. */
export const defineRoute = <Query = unknown, Body = unknown, Result = unknown>({
  toReply,
  documentedBody,
  ...declared
}: Declaration<Query, Body, Result>): Route => {
  // Without a schema the type parameter is `unknown`, which `none` reads.
  const query = declared.query ?? (none as z.ZodMiniType<Query>)
  const body = declared.body ?? (none as z.ZodMiniType<Body>)
  return {
    ...declared,
    ...(documentedBody && { body: documentedBody }),
    run: async (deps, call, raw) => {
      const result = await declared.run(deps, call, {
        params: raw.params,
        query: parseInput(query, raw.query, 'query'),
        body: parseInput(body, raw.body, 'body'),
      })
      return toReply?.(result) ?? { status: declared.answer.status, body: result }
    },
  }
}
