import type { Deps } from '../deps.js'
import { chunk } from '../payments/groupBy.js'
import { createRecent } from './recent.js'
import { type TokenLooks, toTokenLooks } from './tokenLooks.js'
import { parseTokenUri, type TokenUri } from './tokenUri.js'
import type { VerifiedToken } from './verifySlots.js'

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
    safeFetch(url).then(
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
  tokens: readonly VerifiedToken[],
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
