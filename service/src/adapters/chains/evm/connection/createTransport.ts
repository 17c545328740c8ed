import {
  createTransport as createViemTransport,
  type EIP1193RequestFn,
  HttpRequestError,
  type HttpTransport,
  ResponseBodyTooLargeError,
  RpcRequestError,
  TimeoutError,
} from 'viem'
import { chunk } from '#base/lib/chunk.js'
import { classifyStatus } from '#base/lib/nodeFailure.js'
import { type Answer, type Place, postJson, readPlace } from './postJson.js'
import { assertResult } from './rpc.js'

/** How a node is asked. */
export type TransportOptions = {
  /** How often a failed request is repeated. */
  retryCount?: number
  /** How many calls one request has at most. Without it, each call is a request of its own. */
  batchSize?: number
}

type RpcCall = { method: string; params?: unknown }
type RpcAnswer = { result?: unknown; error?: { code: number; message: string; data?: unknown } }

const parseAnswer = (text: string): { value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Whether an answer is an error of JSON-RPC, which says more than the status that it comes with. */
const isRpcError = (value: unknown): boolean => {
  const { error } = (isObject(value) ? value : {}) as { error?: { code?: unknown; message?: unknown } }
  return typeof error?.code === 'number' && typeof error.message === 'string'
}

/**
 * Reads the JSON of an answer. A status that says that the node does not serve the service counts more than an error in
 * the body; that one counts more than any other status.
 *
 * @throws {HttpRequestError} if the node has not done what it was asked.
 */
const readAnswer = ({ url }: Place, body: RpcCall | RpcCall[], answer: Answer): unknown => {
  const { status, statusText: details, text } = answer
  const parsed = parseAnswer(text)
  const isOk = status >= 200 && status < 300
  if (classifyStatus(status) || (!isOk && !isRpcError(parsed?.value))) {
    const headers = new Headers(Object.entries(answer.headers).map(([name, value]) => [name, `${value}`]))
    throw new HttpRequestError({ body, url: url.href, status, details, headers })
  }
  if (!parsed) throw new HttpRequestError({ body, url: url.href, details: 'the answer is no JSON' })
  return parsed.value
}

/** Returns the error of a request that was not answered. */
const toRequestError = ({ url: { href: url } }: Place, body: RpcCall | RpcCall[], cause: unknown): Error => {
  const isKnown = cause instanceof HttpRequestError || cause instanceof ResponseBodyTooLargeError
  if (isKnown || !(cause instanceof Error)) return isKnown ? cause : new Error(`${cause}`)
  return cause.name === 'AbortError'
    ? new TimeoutError({ body, url })
    : new HttpRequestError({ body, url, cause })
}

/** Sends one call, or a list of calls, and returns the JSON of the answer. */
const ask = async (place: Place, asked: RpcCall | RpcCall[]): Promise<unknown> => {
  // Some proxies take an id of 0 for none.
  const write = (call: RpcCall, at = 0) => ({ jsonrpc: '2.0', id: at + 1, ...call })
  const body = JSON.stringify(Array.isArray(asked) ? asked.map(write) : write(asked))
  try {
    return readAnswer(place, asked, await postJson(place, body))
  } catch (cause) {
    throw toRequestError(place, asked, cause)
  }
}

/** Takes what is no answer of JSON-RPC for one without a result. */
const toRpcAnswer = (value: unknown): RpcAnswer => (isObject(value) ? value : {})

/** Sends calls in one request. Some nodes answer a request that they refuse with one error, which is each call's then. */
const askTogether = async (place: Place, calls: RpcCall[]): Promise<RpcAnswer[]> => {
  const answer = await ask(place, calls)
  if (!Array.isArray(answer)) return calls.map(() => toRpcAnswer(answer))
  const answers = new Map(answer.map((one: { id?: unknown } | null) => [`${one?.id}`, one]))
  return calls.map((_, at) => toRpcAnswer(answers.get(`${at + 1}`)))
}

type Waiting = { call: RpcCall; resolve: (answer: RpcAnswer) => void; reject: (error: unknown) => void }

/** Creates a function that sends the calls of a moment together. */
const createBatching = (place: Place, batchSize: number): ((call: RpcCall) => Promise<RpcAnswer>) => {
  let waiting: Waiting[] = []
  const sendSome = async (some: Waiting[]): Promise<void> => {
    try {
      const answers = await askTogether(
        place,
        some.map(({ call }) => call),
      )
      for (const [at, { resolve }] of some.entries()) resolve(answers[at] ?? {})
    } catch (error) {
      for (const { reject } of some) reject(error)
    }
  }
  const sendAll = (): void => {
    for (const some of chunk(waiting, batchSize)) void sendSome(some)
    waiting = []
  }
  return (call) =>
    new Promise((resolve, reject) => {
      if (!waiting.length) setTimeout(sendAll)
      waiting.push({ call, resolve, reject })
    })
}

/**
 * Creates the transport of a client to a node, over kept-alive connections. It takes an answer without a result for none.
 */
export const createTransport = (url: string, options: TransportOptions = {}): HttpTransport => {
  const { retryCount = 1, batchSize } = options
  const place = readPlace(url)
  const askOne = async (call: RpcCall): Promise<RpcAnswer> => toRpcAnswer(await ask(place, call))
  const askAny = batchSize === undefined ? askOne : createBatching(place, batchSize)
  const request = async ({ method, params }: RpcCall): Promise<unknown> => {
    const body = { method, params }
    const { result, error } = await askAny(body)
    if (error) throw new RpcRequestError({ body, error, url: place.url.href })
    return result
  }
  return () => {
    const opened = createViemTransport(
      {
        key: 'http',
        name: 'HTTP JSON-RPC',
        type: 'http',
        retryCount,
        request: request as EIP1193RequestFn,
      },
      { url },
    )
    const requestResult = async (...asked: Parameters<typeof opened.request>): Promise<unknown> => {
      const result: unknown = await opened.request(...asked)
      assertResult(place.url.href, asked[0].method, result)
      return result
    }
    return { ...opened, request: requestResult as EIP1193RequestFn }
  }
}
