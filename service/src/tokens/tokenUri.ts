/** Where metadata are: in the URI itself, under their content identifier, or on a server. */
export type TokenUri =
  | { kind: 'data'; text: string }
  | { kind: 'ipfs'; cid: string }
  | { kind: 'http'; url: string }

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
export const parseTokenUri = (text: string, tokenId: string): TokenUri | undefined => {
  if (/^data:/i.test(text)) return readData(text)
  const uri = fillId(text, tokenId)
  const [, cid] = /^ipfs:\/\/(?:ipfs\/)?(\w{1,100})\/?$/.exec(uri) ?? []
  if (cid !== undefined) return { kind: 'ipfs', cid }
  return /^https?:\/\//i.test(uri) ? { kind: 'http', url: uri } : undefined
}
