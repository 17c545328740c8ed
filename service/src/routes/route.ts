import * as z from 'zod/mini'
import type { Call } from '../call.js'
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
  refusals: readonly ServiceErrorCode[]
  /** Whether the answer has an `ETag` and can be revalidated. */
  isRevalidated?: boolean
  deadlineMs?: number
}

/** One operation of the interface: how it is served and how it is documented, declared once. */
export type Route = RouteBase & {
  query?: z.ZodMiniType
  body?: z.ZodMiniType
  run(deps: Deps, call: Call, input: RawInput): Promise<unknown>
}

type Declaration<Query, Body> = RouteBase & {
  query?: z.ZodMiniType<Query>
  body?: z.ZodMiniType<Body>
  run(deps: Deps, call: Call, input: { params: Path; query: Query; body: Body }): Promise<unknown>
}

const none = z.unknown()

/** Declares a route, whose verb is called with what the schemas have read. */
export const defineRoute = <Query = unknown, Body = unknown>(declared: Declaration<Query, Body>): Route => {
  // Without a schema the type parameter is `unknown`, which `none` reads.
  const query = declared.query ?? (none as z.ZodMiniType<Query>)
  const body = declared.body ?? (none as z.ZodMiniType<Body>)
  return {
    ...declared,
    run: (deps, call, raw) =>
      declared.run(deps, call, {
        params: raw.params,
        query: parseInput(query, raw.query, 'query'),
        body: parseInput(body, raw.body, 'body'),
      }),
  }
}
