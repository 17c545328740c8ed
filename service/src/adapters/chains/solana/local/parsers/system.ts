import {
  addDecoderSizePrefix,
  getAddressDecoder,
  getStructDecoder,
  getU32Decoder,
  getU64Decoder,
  getUtf8Decoder,
} from '@solana/kit'
import { type InstructionShape, nameAccounts, type ParseInstruction } from './parser.js'

const owner = ['owner', getAddressDecoder()] as const
const lamports = ['lamports', getU64Decoder()] as const
const space = ['space', getU64Decoder()] as const
const base = ['base', getAddressDecoder()] as const
const text = addDecoderSizePrefix(getUtf8Decoder(), getU64Decoder())
const seed = ['seed', text] as const

/** The instructions by their number. */
const shapes: readonly InstructionShape[] = [
  {
    type: 'createAccount',
    accounts: ['source', 'newAccount'],
    data: getStructDecoder([lamports, space, owner]),
  },
  { type: 'assign', accounts: ['account'], data: getStructDecoder([owner]) },
  { type: 'transfer', accounts: ['source', 'destination'], data: getStructDecoder([lamports]) },
  {
    type: 'createAccountWithSeed',
    accounts: ['source', 'newAccount'],
    data: getStructDecoder([base, seed, lamports, space, owner]),
  },
  { type: 'advanceNonce', accounts: ['nonceAccount', 'recentBlockhashesSysvar', 'nonceAuthority'] },
  {
    type: 'withdrawFromNonce',
    accounts: ['nonceAccount', 'destination', 'recentBlockhashesSysvar', 'rentSysvar', 'nonceAuthority'],
    data: getStructDecoder([lamports]),
  },
  {
    type: 'initializeNonce',
    accounts: ['nonceAccount', 'recentBlockhashesSysvar', 'rentSysvar'],
    data: getStructDecoder([['nonceAuthority', getAddressDecoder()]]),
  },
  {
    type: 'authorizeNonce',
    accounts: ['nonceAccount', 'nonceAuthority'],
    data: getStructDecoder([['newAuthorized', getAddressDecoder()]]),
  },
  { type: 'allocate', accounts: ['account'], data: getStructDecoder([space]) },
  {
    type: 'allocateWithSeed',
    accounts: ['account'],
    data: getStructDecoder([base, seed, space, owner]),
  },
  { type: 'assignWithSeed', accounts: ['account'], data: getStructDecoder([base, seed, owner]) },
  {
    type: 'transferWithSeed',
    accounts: ['source', 'sourceBase', 'destination'],
    data: getStructDecoder([lamports, ['sourceSeed', text], ['sourceOwner', getAddressDecoder()]]),
  },
  { type: 'upgradeNonce', accounts: ['nonceAccount'] },
]

/** Parses an instruction of the System program. */
export const parseSystem: ParseInstruction = (accounts, data) => {
  const shape = shapes[getU32Decoder().decode(data)]
  return (
    shape && {
      type: shape.type,
      info: { ...nameAccounts(shape.accounts, accounts), ...shape.data?.decode(data, 4) },
    }
  )
}
