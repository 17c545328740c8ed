import {
  type Address,
  type EncodedAccount,
  getAddressDecoder,
  getU64Decoder,
  type MaybeEncodedAccount,
} from '@solana/kit'
import { fromBaseUnits } from 'kassa/schema'

/** The token programs: Token, and Token-2022. */
export const tokenPrograms: readonly string[] = [
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
]

const accountSize = 165
const mintSize = 82
const multisigSize = 355
/** Where an account of Token-2022 with extensions says what it is, and what it then says. */
const kindAt = 165
const mintKind = 1
const accountKind = 2

const isOfKind = ({ data }: EncodedAccount, size: number, kind: number): boolean =>
  data.length === size || (data.length > kindAt && data.length !== multisigSize && data[kindAt] === kind)

const isOfTokenProgram = (account: EncodedAccount | MaybeEncodedAccount): account is EncodedAccount =>
  !('exists' in account && !account.exists) && tokenPrograms.includes(account.programAddress)

/** The account of a holder's tokens. @units `amount` in base units */
export type TokenAccount = { mint: Address; owner: Address; amount: bigint; programAddress: Address }

/** Reads the account of a holder's tokens, or returns `undefined` if the account is anything else. */
export const readTokenAccount = (account: EncodedAccount | MaybeEncodedAccount): TokenAccount | undefined => {
  if (!isOfTokenProgram(account)) return undefined
  const { data, programAddress } = account
  if (!isOfKind(account, accountSize, accountKind)) return undefined
  const address = getAddressDecoder()
  return {
    mint: address.decode(data, 0),
    owner: address.decode(data, 32),
    amount: getU64Decoder().decode(data, 64),
    programAddress,
  }
}

/** Reads the decimals of a mint. */
export const readDecimals = (mint: MaybeEncodedAccount): number => (mint.exists ? (mint.data[44] ?? 0) : 0)

/** Reads the supply of a mint, or returns `undefined` if the account is no mint. @units base units */
export const readSupply = (mint: EncodedAccount | MaybeEncodedAccount): bigint | undefined =>
  isOfTokenProgram(mint) && isOfKind(mint, mintSize, mintKind)
    ? getU64Decoder().decode(mint.data, 36)
    : undefined

/** Formats base units as the JSON-RPC interface does. */
export const showTokenAmount = (amount: bigint, decimals: number) => {
  const uiAmountString = fromBaseUnits(amount, decimals)
  return { amount: `${amount}`, decimals, uiAmount: Number(uiAmountString), uiAmountString }
}
