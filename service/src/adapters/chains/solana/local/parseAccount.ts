import {
  type Address,
  type EncodedAccount,
  getAddressDecoder,
  getBooleanDecoder,
  getNullableDecoder,
  getStructDecoder,
  getU8Decoder,
  getU32Decoder,
  getU64Decoder,
  type MaybeEncodedAccount,
} from '@solana/kit'
import { readNonce } from './durableNonce.js'
import { readDecimals, readSupply, readTokenAccount, showTokenAmount } from './tokenAccounts.js'

const optional = { prefix: getU32Decoder(), noneValue: 'zeroes' } as const
const optionalAddress = getNullableDecoder(getAddressDecoder(), optional)
const tokenAccount = getStructDecoder([
  ['mint', getAddressDecoder()],
  ['owner', getAddressDecoder()],
  ['amount', getU64Decoder()],
  ['delegate', optionalAddress],
  ['state', getU8Decoder()],
  ['rentExemptReserve', getNullableDecoder(getU64Decoder(), optional)],
  ['delegatedAmount', getU64Decoder()],
  ['closeAuthority', optionalAddress],
])
const mintAccount = getStructDecoder([
  ['mintAuthority', optionalAddress],
  ['supply', getU64Decoder()],
  ['decimals', getU8Decoder()],
  ['isInitialized', getBooleanDecoder()],
  ['freezeAuthority', optionalAddress],
])
const states = ['uninitialized', 'initialized', 'frozen']
const nativeDecimals = 9

const parseTokenAccount = ({ data }: EncodedAccount, readMint: ReadAccount) => {
  const { mint, owner, state, ...read } = tokenAccount.decode(data)
  const mintFound = readMint(mint)
  const amountOf = (units: bigint) => showTokenAmount(units, readDecimals(mintFound))
  if (!mintFound.exists || states[state] === 'uninitialized') return undefined
  const { delegate, rentExemptReserve, closeAuthority } = read
  return {
    type: 'account',
    info: {
      mint,
      owner,
      state: states[state],
      tokenAmount: amountOf(read.amount),
      ...(delegate !== null && { delegate, delegatedAmount: amountOf(read.delegatedAmount) }),
      isNative: rentExemptReserve !== null,
      ...(rentExemptReserve !== null && {
        rentExemptReserve: showTokenAmount(rentExemptReserve, nativeDecimals),
      }),
      ...(closeAuthority !== null && { closeAuthority }),
    },
  }
}

const parseMint = ({ data }: EncodedAccount) => {
  const { supply, ...info } = mintAccount.decode(data)
  return { type: 'mint', info: { ...info, supply: `${supply}` } }
}

const parseNonce = (account: EncodedAccount) => {
  const found = readNonce(account)
  if (!found) return undefined
  const { authority, nonce: blockhash, lamportsPerSignature } = found
  const feeCalculator = { lamportsPerSignature: `${lamportsPerSignature}` }
  return { type: 'initialized', info: { authority, blockhash, feeCalculator } }
}

const tokenProgramNames: Readonly<Record<string, string>> = {
  TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA: 'spl-token',
  TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb: 'spl-token-2022',
}

/** Reads another account: the mint of a token account says its decimals. */
type ReadAccount = (address: Address) => MaybeEncodedAccount

/**
 * Parses an account of the token programs, or a nonce account, as `jsonParsed` shows it. Returns `undefined` for all
 * others, which are shown in base64. Extensions of Token-2022 are left out.
 */
export const parseAccount = (account: EncodedAccount, readMint: ReadAccount) => {
  const parsed = readTokenAccount(account)
    ? parseTokenAccount(account, readMint)
    : readSupply(account) === undefined
      ? parseNonce(account)
      : parseMint(account)
  if (!parsed) return undefined
  const program = tokenProgramNames[account.programAddress] ?? 'nonce'
  return { program, parsed, space: account.data.length }
}
