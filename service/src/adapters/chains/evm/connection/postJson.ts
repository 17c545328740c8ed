import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { type Dispatcher, request } from 'undici'
import { ResponseBodyTooLargeError } from 'viem'

/** Where a node is, and the headers of each request to it. Error messages contain URLs, so a password is a header. */
export type Place = { url: URL; headers: Readonly<Record<string, string>> }

type Response = Pick<Dispatcher.ResponseData, 'statusText' | 'headers' | 'body'> & { status: number }

/** What a node answers. */
export type Answer = Pick<Response, 'status' | 'statusText' | 'headers'> & { text: string }

/** How long a node may take to begin its answer, and to send the next part of it. */
const timeoutMs = 8_000
/** @units bytes */
const maxAnswer = 10 * 1024 * 1024
const maxRedirects = 5

const unzip = promisify(gunzip)

/** Reads where a node is from its URL, which may contain a name and a password. */
export const readPlace = (text: string): Place => {
  const url = new URL(text)
  const { username, password } = url
  url.username = ''
  url.password = ''
  const name = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const headers = { 'content-type': 'application/json', 'accept-encoding': 'gzip' }
  if (!username) return { url, headers }
  return { url, headers: { ...headers, authorization: `Basic ${Buffer.from(name).toString('base64')}` } }
}

const readText = async ({ headers, body }: Response): Promise<string> => {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of body as AsyncIterable<Buffer>) {
    size += part.length
    if (size > maxAnswer) throw new ResponseBodyTooLargeError({ maxSize: maxAnswer, size })
    parts.push(part)
  }
  const bytes = Buffer.concat(parts)
  const isZipped = headers['content-encoding'] === 'gzip'
  return String(isZipped ? await unzip(bytes, { maxOutputLength: maxAnswer }) : bytes)
}

/**
 * Sends a request by the dispatcher of the process, as `fetch` does. It keeps connections alive, and an operator may have
 * put a proxy in its place.
 */
const send = async ({ url, headers }: Place, body: string): Promise<Response> => {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), timeoutMs)
  try {
    const { statusCode: status, ...response } = await request(url, {
      method: 'POST',
      headers,
      body,
      signal: late.signal,
      bodyTimeout: timeoutMs,
    })
    return { ...response, status }
  } finally {
    clearTimeout(timer)
  }
}

/** Returns where a node sends a request on to. The password is for the place that was named only. */
const findNext = ({ url, headers }: Place, { status, headers: told }: Response): Place | undefined => {
  if ((status !== 307 && status !== 308) || typeof told.location !== 'string') return undefined
  const next = new URL(told.location, url)
  if (next.origin === url.origin) return { url: next, headers }
  const { authorization: _, ...others } = headers
  return { url: next, headers: others }
}

/**
 * Sends JSON to a node, and returns its answer. `fetch` would make streams of both, which takes longer than the rest.
 *
 * @throws DOMException `AbortError` if the answer does not begin in time.
 * @throws {ResponseBodyTooLargeError} if the answer is too long.
 */
export const postJson = async (place: Place, body: string): Promise<Answer> => {
  let response = await send(place, body)
  let next = findNext(place, response)
  for (let count = 0; next && count < maxRedirects; count++) {
    await response.body.dump()
    response = await send(next, body)
    next = findNext(next, response)
  }
  const { status, statusText, headers } = response
  return { status, statusText, headers, text: await readText(response) }
}
