import { type Address, isSome, type Option, type Rpc, type SolanaRpcApi } from '@solana/kit'
import { type Extension, fetchMaybeMint } from '@solana-program/token-2022'
import { type KnownMint, revisionField } from './mintInstructions.js'

/** A mint of the service: a collection, or a token of one. @units `size` in bytes, `supply` in tokens */
export type ServiceMint = KnownMint & { supply: bigint; isOpen: boolean; maxSize: bigint | undefined }

const listExtensions = (extensions: Option<readonly Extension[]>): readonly Extension[] =>
  isSome(extensions) ? extensions.value : []

/** Reads a mint of Token-2022 with its metadata, or returns `undefined` if there is none at the address. */
export const readMint = async (rpc: Rpc<SolanaRpcApi>, mint: Address): Promise<ServiceMint | undefined> => {
  const account = await fetchMaybeMint(rpc, mint, { commitment: 'confirmed' })
  if (!account.exists) return undefined
  const { supply, mintAuthority, extensions } = account.data
  let metadata: KnownMint['metadata'] = { name: '', symbol: '', uri: '' }
  let revision = 0n
  let maxSize: bigint | undefined
  for (const each of listExtensions(extensions)) {
    if (each.__kind === 'TokenMetadata') {
      metadata = { name: each.name, symbol: each.symbol, uri: each.uri }
      revision = BigInt(each.additionalMetadata.get(revisionField) ?? 0)
    }
    if (each.__kind === 'TokenGroup') maxSize = each.maxSize
  }
  return {
    metadata,
    revision,
    supply,
    maxSize,
    isOpen: isSome(mintAuthority),
    size: Number(account.space),
    lamports: account.lamports,
  }
}
