import {
  type Address,
  type EncodedAccount,
  fetchEncodedAccounts,
  getBase64Encoder,
  isSome,
  lamports,
  type Rpc,
  type SolanaRpcApi,
} from '@solana/kit'
import {
  decodeMint,
  decodeToken,
  type Extension,
  type Mint,
  TOKEN_2022_PROGRAM_ADDRESS,
} from '@solana-program/token-2022'
import { ServiceError } from '#base/errors.js'
import { chunk } from '#base/lib/chunk.js'
import type { MintedToken, WalletPort } from '#base/ports/wallet.js'
import type { ChainParts } from '../chainParts.js'
import { TOKEN_PROGRAM_ADDRESS } from '../connection/derivedAddresses.js'
import { parseAddress } from '../connection/parseAddress.js'
import { readClassicUris } from './classicMetadata.js'

/** How many accounts one request reads. */
const accountsAtOnce = 100

type TokenAccount = { mint: Address; amount: bigint }

const listTokenAccounts = async (
  rpc: Rpc<SolanaRpcApi>,
  owner: Address,
  programId: Address,
): Promise<TokenAccount[]> => {
  const { value } = await rpc
    .getTokenAccountsByOwner(owner, { programId }, { commitment: 'confirmed', encoding: 'base64' })
    .send()
  return value.map(({ pubkey, account }) => {
    const [text] = account.data
    const encoded: EncodedAccount = {
      address: pubkey,
      data: Uint8Array.from(getBase64Encoder().encode(text)),
      executable: false,
      lamports: lamports(BigInt(account.lamports)),
      programAddress: programId,
      space: account.space,
    }
    const { mint, amount } = decodeToken(encoded).data
    return { mint, amount }
  })
}

const extensionsOf = ({ extensions }: Mint): readonly Extension[] =>
  isSome(extensions) ? extensions.value : []

const describe = (mint: Address, data: Mint): MintedToken => {
  const token: MintedToken = { mint, supply: data.supply, group: undefined, uri: undefined }
  for (const each of extensionsOf(data)) {
    if (each.__kind === 'TokenMetadata') token.uri = each.uri
    if (each.__kind === 'TokenGroupMember') token.group = each.group
  }
  return token
}

const readMints = async (rpc: Rpc<SolanaRpcApi>, mints: readonly Address[]): Promise<MintedToken[]> => {
  const found: MintedToken[] = []
  for (const some of chunk(mints, accountsAtOnce)) {
    const classic: Address[] = []
    for (const account of await fetchEncodedAccounts(rpc, some, { commitment: 'confirmed' })) {
      if (!account.exists) continue
      const { data } = decodeMint(account)
      // A token that can be divided is money, and no good.
      if (data.decimals !== 0) continue
      found.push(describe(account.address, data))
      if (account.programAddress === TOKEN_PROGRAM_ADDRESS) classic.push(account.address)
    }
    const uris = await readClassicUris(rpc, classic)
    for (const token of found) token.uri ??= uris.get(token.mint as Address)
  }
  return found
}

/** Creates the reads of tokens: those of a holder by their token accounts, and the holder of a token by its mint. */
export const createTokenReads = ({
  chain,
  read,
}: Pick<ChainParts, 'chain' | 'read'>): Pick<
  WalletPort,
  'findTransfers' | 'findTransfersOf' | 'readTokens' | 'findOwner' | 'listHeld'
> => ({
  // Nodes do not tell what moved in a range of blocks. They tell what a holder has: see `listHeld`.
  findTransfers: async () => [],
  findTransfersOf: async () => [],
  readTokens: async (tokens) => tokens.map(() => undefined),
  listHeld: (holder) =>
    read(async (rpc) => {
      const owner = parseAddress(holder)
      if (!owner) throw new ServiceError('input-invalid', `${holder} is not an address on ${chain}`)
      const programs = [TOKEN_2022_PROGRAM_ADDRESS, TOKEN_PROGRAM_ADDRESS]
      const held = await Promise.all(programs.map((program) => listTokenAccounts(rpc, owner, program)))
      const mints = held.flat().flatMap(({ mint, amount }) => (amount > 0n ? [mint] : []))
      return readMints(rpc, [...new Set(mints)].sort())
    }),
  findOwner: ({ contract }) =>
    read(async (rpc) => {
      const mint = parseAddress(contract)
      const [known] = mint ? await readMints(rpc, [mint]) : []
      if (!mint || !known || known.supply === 0n) return undefined
      if (known.supply > 1n) return 'semi-fungible'
      const { value } = await rpc.getTokenLargestAccounts(mint, { commitment: 'confirmed' }).send()
      const holding = value.find(({ amount }) => amount === '1')
      if (!holding) return undefined
      const [account] = await fetchEncodedAccounts(rpc, [holding.address], { commitment: 'confirmed' })
      if (!account?.exists) return undefined
      return { owner: decodeToken(account).data.owner, expiresAt: undefined, group: known.group }
    }),
})
