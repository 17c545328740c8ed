import type { Deps } from '#base/deps.js'
import { chunk } from '#base/lib/chunk.js'
import { type TokenLooks, toTokenLooks } from './tokenLooks.js'

/** Values that are cached for a time. */
type Recent<Value> = {
  get(key: string, make: () => Value, nowMs: number): Value
  /** Caches one value for another time than usual. */
  keepUntil(key: string, untilMs: number): void
}

/** Caches the newest values, up to a number, each for a time. @units milliseconds */
const createRecent = <Value>(most: number, keptMs: number): Recent<Value> => {
  const kept = new Map<string, { value: Value; untilMs: number }>()
  return {
    get: (key, make, nowMs) => {
      const known = kept.get(key)
      if (known && nowMs < known.untilMs) return known.value
      kept.delete(key)
      const value = make()
      kept.set(key, { value, untilMs: nowMs + keptMs })
      for (const oldest of kept.keys()) {
        if (kept.size <= most) break
        kept.delete(oldest)
      }
      return value
    },
    keepUntil: (key, untilMs) => {
      const known = kept.get(key)
      if (known) known.untilMs = untilMs
    },
  }
}

/** Where metadata are: in the URI itself, under their content identifier, or on a server. */
type TokenUri = { kind: 'data'; text: string } | { kind: 'ipfs'; cid: string } | { kind: 'http'; url: string }

const readData = (uri: string): TokenUri | undefined => {
  const [, options, body] = /^data:application\/json((?:;[\w=-]+)*),(.*)$/is.exec(uri) ?? []
  if (options === undefined || body === undefined) return undefined
  try {
    const isBase64 = /;base64$/i.test(options)
    return {
      kind: 'data',
      text: isBase64 ? Buffer.from(body, 'base64').toString() : decodeURIComponent(body),
    }
  } catch {
    return undefined
  }
}

/** The placeholder for a token's id in the URIs of semi-fungible tokens (ERC-1155). */
const fillId = (uri: string, tokenId: string): string =>
  uri.replaceAll('{id}', BigInt(tokenId).toString(16).padStart(64, '0'))

/**
 * Returns where a token's metadata are.
 *
 * @param tokenId - Fills the placeholder of a URI for a whole contract.
 * @returns Undefined for a URI of a kind that is not read.
 */
const parseTokenUri = (text: string, tokenId: string): TokenUri | undefined => {
  if (/^data:/i.test(text)) return readData(text)
  const uri = fillId(text, tokenId)
  const [, cid] = /^ipfs:\/\/(?:ipfs\/)?(\w{1,100})\/?$/.exec(uri) ?? []
  if (cid !== undefined) return { kind: 'ipfs', cid }
  return /^https?:\/\//i.test(uri) ? { kind: 'http', url: uri } : undefined
}

/** A token that says where its metadata are. */
type DescribedToken = { tokenId: string; token: { uri: string | undefined } }

type MetadataDeps = Pick<Deps, 'storage' | 'safeFetch' | 'now'>

/** How long a page waits for the servers of its metadata. */
const patienceMs = 2_500
const fetchesAtOnce = 10
const maxBytes = 1024 * 1024
const keptMs = 5 * 60_000
/** How long a failed request is remembered. The server may have the metadata soon. */
const failureKeptMs = 30_000
const maxKept = 1_000

/** Metadata by URL, for each connection to the network, so that they are not fetched for every list. */
const fetched = new WeakMap<Deps['safeFetch'], ReturnType<typeof createRecent<Promise<TokenLooks>>>>()

const parse = (text: string): TokenLooks => {
  try {
    return toTokenLooks(JSON.parse(text))
  } catch {
    return {}
  }
}

const decode = (bytes: Uint8Array): TokenLooks =>
  bytes.length > maxBytes ? {} : parse(new TextDecoder().decode(bytes))

const readStored = async ({ storage }: MetadataDeps, cid: string): Promise<TokenLooks> => {
  const known = await storage.describe(cid)
  const file = known && known.size <= maxBytes ? await storage.get(cid) : undefined
  return file ? decode(file.bytes) : {}
}

const fetchLooks = ({ safeFetch, now }: MetadataDeps, url: string): Promise<TokenLooks> => {
  const recent = fetched.get(safeFetch) ?? createRecent<Promise<TokenLooks>>(maxKept, keptMs)
  fetched.set(safeFetch, recent)
  const answer = () =>
    safeFetch(url, maxBytes).then(
      ({ bytes }) => decode(bytes),
      () => {
        recent.keepUntil(url, now() + failureKeptMs)
        return {}
      },
    )
  return recent.get(url, answer, now())
}

const read = async (deps: MetadataDeps, uri: TokenUri | undefined): Promise<TokenLooks> => {
  if (uri?.kind === 'data') return parse(uri.text)
  if (uri?.kind === 'ipfs') return readStored(deps, uri.cid)
  return uri ? fetchLooks(deps, uri.url) : {}
}

/**
 * Reads the metadata of tokens from where their contracts say they are. Metadata that cannot be read in time are empty,
 * so that a list of tokens does not depend on the servers of their pictures.
 */
export const readTokenMetadata = async (
  deps: MetadataDeps,
  tokens: readonly DescribedToken[],
): Promise<TokenLooks[]> => {
  const looks: TokenLooks[] = tokens.map(() => ({}))
  const uris = tokens.map(({ tokenId, token }) => token.uri && parseTokenUri(token.uri, tokenId))
  let timer: NodeJS.Timeout | undefined
  let isLate = false
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      isLate = true
      resolve()
    }, patienceMs)
  })
  const readAll = async (): Promise<void> => {
    for (const places of chunk([...tokens.keys()], fetchesAtOnce)) {
      if (isLate) return
      await Promise.all(
        places.map(async (place) => {
          looks[place] = await read(deps, uris[place] || undefined)
        }),
      )
    }
  }
  try {
    await Promise.race([readAll(), late])
    return [...looks]
  } finally {
    clearTimeout(timer)
  }
}
