import { type Dispatcher, request } from 'undici'
import type { FetchedFile, SafeFetch } from '#base/ports/guard.js'
import { beforeDeadline } from './beforeDeadline.js'
import { checkUrl, isPublicAddress, refuse } from './checkUrl.js'
import { createGuardedAgent, type Guard, lookUpAll } from './createGuardedAgent.js'

type Answer = Dispatcher.ResponseData

const mebibyte = 1024 * 1024
const maxRedirects = 5
const redirects = [301, 302, 303, 307, 308]

const headerOf = ({ headers }: Answer, name: string): string | undefined => {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}

const toContentType = (header = ''): string =>
  /^\s*([\w.+-]{1,60}\/[\w.+-]{1,60})\s*(;|$)/.exec(header)?.[1]?.toLowerCase() ?? 'application/octet-stream'

const readFile = async (answer: Answer, most: number): Promise<FetchedFile> => {
  const { statusCode, body } = answer
  if (statusCode < 200 || statusCode > 299) throw refuse(`answered with status ${statusCode}`)
  // A small file may unpack to a huge one, so none is unpacked. The request asks for no encoding either.
  const encoding = headerOf(answer, 'content-encoding')?.toLowerCase() ?? 'identity'
  if (encoding !== 'identity') throw refuse('sent a compressed response, which was not requested')
  const tooLarge = refuse(`is larger than ${most / mebibyte} MiB`)
  if (Number(headerOf(answer, 'content-length')) > most) throw tooLarge
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > most) throw tooLarge
    chunks.push(chunk)
  }
  return { bytes: Buffer.concat(chunks), contentType: toContentType(headerOf(answer, 'content-type')) }
}

/**
 * Creates the fetch for URLs that callers choose. It reaches public addresses only, whatever a name or a
 * redirect leads to.
 */
export const createSafeFetch = ({
  lookup = lookUpAll,
  isPublic = isPublicAddress,
  timeoutMs = 10_000,
}: Partial<Guard> & { timeoutMs?: number } = {}): SafeFetch => {
  const dispatcher = createGuardedAgent({ lookup, isPublic }, timeoutMs)
  const headers = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'kassa' }

  /** Returns the file, or the URL that it redirects to. */
  const ask = async (url: URL, most: number, signal: AbortSignal): Promise<FetchedFile | URL> => {
    const answer = await request(url, { dispatcher, headers, signal })
    // An aborted body ends in an error event, which would end the process without a listener.
    answer.body.on('error', () => {})
    try {
      const location = headerOf(answer, 'location')
      if (!redirects.includes(answer.statusCode) || location === undefined)
        return await readFile(answer, most)
      return checkUrl(location, isPublic, url)
    } finally {
      answer.body.destroy()
    }
  }

  return async (text, most = 20 * mebibyte) => {
    const first = checkUrl(text, isPublic)
    return beforeDeadline(timeoutMs, async (signal) => {
      const asked = new Set<string>()
      for (let url = first; ; ) {
        if (asked.has(url.href)) throw refuse('redirects in a loop')
        if (asked.size > maxRedirects) throw refuse(`redirects more than ${maxRedirects} times`)
        asked.add(url.href)
        const found = await ask(url, most, signal)
        if (!(found instanceof URL)) return found
        url = found
      }
    })
  }
}
