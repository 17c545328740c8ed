import {
  type Address,
  type Decoder,
  getAddressDecoder,
  getNullableDecoder,
  getStructDecoder,
  getU8Decoder,
  getU64Decoder,
  transformDecoder,
} from '@solana/kit'
import { showTokenAmount } from '../tokenAccounts.js'
import { type InstructionShape, nameAccounts, type ParseInstruction } from './parser.js'

/** Amounts of tokens are texts, unlike lamports. */
const amount = getStructDecoder([['amount', transformDecoder(getU64Decoder(), String)]])
const tokenAmount: Decoder<Record<string, unknown>> = transformDecoder(
  getStructDecoder([
    ['amount', getU64Decoder()],
    ['decimals', getU8Decoder()],
  ]),
  (value) => ({ tokenAmount: showTokenAmount(value.amount, value.decimals) }),
)
const owner = getStructDecoder([['owner', getAddressDecoder()]])
const optionalAddress = getNullableDecoder(getAddressDecoder())
const mint: Decoder<Record<string, unknown>> = transformDecoder(
  getStructDecoder([
    ['decimals', getU8Decoder()],
    ['mintAuthority', getAddressDecoder()],
    ['freezeAuthority', optionalAddress],
  ]),
  ({ freezeAuthority, ...others }) => ({ ...others, ...(freezeAuthority !== null && { freezeAuthority }) }),
)
/** Those of Token-2022 follow the four of Token. */
const authorityTypes = [
  'mintTokens',
  'freezeAccount',
  'accountOwner',
  'closeAccount',
  'transferFeeConfig',
  'withheldWithdraw',
  'closeMint',
  'interestRate',
  'permanentDelegate',
  'confidentialTransferMint',
  'transferHookProgramId',
  'confidentialTransferFeeConfig',
  'metadataPointer',
  'groupPointer',
  'groupMemberPointer',
]
const ofAccounts: readonly unknown[] = ['accountOwner', 'closeAccount']
const newAuthority: Decoder<Record<string, unknown>> = transformDecoder(
  getStructDecoder([
    ['kind', getU8Decoder()],
    ['newAuthority', optionalAddress],
  ]),
  ({ kind, ...others }) => ({ authorityType: authorityTypes[kind] ?? `${kind}`, ...others }),
)

/** An instruction of which the last account signs: an authority, or a multisig account that its signers follow. */
type TokenShape = InstructionShape & { authority?: string }

/** The instructions by their number. */
const shapes: Readonly<Record<number, TokenShape>> = {
  0: { type: 'initializeMint', accounts: ['mint', 'rentSysvar'], data: mint },
  1: { type: 'initializeAccount', accounts: ['account', 'mint', 'owner', 'rentSysvar'] },
  3: { type: 'transfer', accounts: ['source', 'destination'], authority: 'authority', data: amount },
  4: { type: 'approve', accounts: ['source', 'delegate'], authority: 'owner', data: amount },
  5: { type: 'revoke', accounts: ['source'], authority: 'owner' },
  6: { type: 'setAuthority', accounts: ['account'], authority: 'authority', data: newAuthority },
  7: { type: 'mintTo', accounts: ['mint', 'account'], authority: 'mintAuthority', data: amount },
  8: { type: 'burn', accounts: ['account', 'mint'], authority: 'authority', data: amount },
  9: { type: 'closeAccount', accounts: ['account', 'destination'], authority: 'owner' },
  10: { type: 'freezeAccount', accounts: ['account', 'mint'], authority: 'freezeAuthority' },
  11: { type: 'thawAccount', accounts: ['account', 'mint'], authority: 'freezeAuthority' },
  12: {
    type: 'transferChecked',
    accounts: ['source', 'mint', 'destination'],
    authority: 'authority',
    data: tokenAmount,
  },
  13: {
    type: 'approveChecked',
    accounts: ['source', 'mint', 'delegate'],
    authority: 'owner',
    data: tokenAmount,
  },
  14: {
    type: 'mintToChecked',
    accounts: ['mint', 'account'],
    authority: 'mintAuthority',
    data: tokenAmount,
  },
  15: { type: 'burnChecked', accounts: ['account', 'mint'], authority: 'authority', data: tokenAmount },
  16: { type: 'initializeAccount2', accounts: ['account', 'mint', 'rentSysvar'], data: owner },
  17: { type: 'syncNative', accounts: ['account'] },
  18: { type: 'initializeAccount3', accounts: ['account', 'mint'], data: owner },
  20: { type: 'initializeMint2', accounts: ['mint'], data: mint },
  21: { type: 'getAccountDataSize', accounts: ['mint'] },
  22: { type: 'initializeImmutableOwner', accounts: ['account'] },
}

const nameAuthority = (name: string, [authority, ...signers]: readonly Address[]) => {
  if (authority === undefined) throw new RangeError('too few accounts')
  if (!signers.length) return { [name]: authority }
  return { [`multisig${name[0]?.toUpperCase()}${name.slice(1)}`]: authority, signers }
}

/** An authority is that of a mint or of an account, which only its type says. */
const nameOwned = ({ account, ...others }: Record<string, unknown>) =>
  ofAccounts.includes(others.authorityType) ? { account, ...others } : { mint: account, ...others }

/** Parses an instruction of the Token program, or one that Token-2022 shares with it. */
export const parseToken: ParseInstruction = (accounts, data) => {
  const shape = shapes[data[0] ?? -1]
  if (!shape) return undefined
  const { type, authority } = shape
  const info = {
    ...nameAccounts(shape.accounts, accounts),
    ...shape.data?.decode(data, 1),
    ...(authority && nameAuthority(authority, accounts.slice(shape.accounts.length))),
  }
  return { type, info: type === 'setAuthority' ? nameOwned(info) : info }
}
