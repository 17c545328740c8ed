import {
  type Address,
  addDecoderSizePrefix,
  address,
  fetchEncodedAccounts,
  getAddressDecoder,
  getAddressEncoder,
  getProgramDerivedAddress,
  getStructDecoder,
  getU8Decoder,
  getU32Decoder,
  getUtf8Decoder,
  type Rpc,
  type SolanaRpcApi,
} from '@solana/kit'

/** The program of Token Metadata, whose accounts say what tokens of the classic Token program are. */
const program = address('metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s')
const metadataKind = 4

const text = addDecoderSizePrefix(getUtf8Decoder(), getU32Decoder())
const decoder = getStructDecoder([
  ['kind', getU8Decoder()],
  ['updateAuthority', getAddressDecoder()],
  ['mint', getAddressDecoder()],
  ['name', text],
  ['symbol', text],
  ['uri', text],
])

const findAddress = async (mint: Address): Promise<Address> => {
  const encoder = getAddressEncoder()
  const seeds = ['metadata', encoder.encode(program), encoder.encode(mint)]
  return (await getProgramDerivedAddress({ programAddress: program, seeds }))[0]
}

const readUri = (data: Parameters<typeof decoder.decode>[0], mint: Address): string | undefined => {
  try {
    const known = decoder.decode(data)
    // Older accounts fill the text with zeros to its greatest length. The decoder leaves them out.
    if (known.kind === metadataKind && known.mint === mint) return known.uri || undefined
  } catch {
    // Another form of a later version of the program.
  }
  return undefined
}

/** Reads where the metadata of classic tokens are, by their mints. At most 100 of them. */
export const readClassicUris = async (
  rpc: Rpc<SolanaRpcApi>,
  mints: readonly Address[],
): Promise<ReadonlyMap<Address, string>> => {
  const uris = new Map<Address, string>()
  if (!mints.length) return uris
  const places = await Promise.all(mints.map(findAddress))
  const accounts = await fetchEncodedAccounts(rpc, places, { commitment: 'confirmed' })
  for (const [at, account] of accounts.entries()) {
    const mint = mints[at]
    if (!mint || !account.exists || account.programAddress !== program) continue
    const uri = readUri(account.data, mint)
    if (uri !== undefined) uris.set(mint, uri)
  }
  return uris
}
