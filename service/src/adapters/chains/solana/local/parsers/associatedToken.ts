import { nameAccounts, type ParseInstruction } from './parser.js'

const create = ['source', 'account', 'wallet', 'mint', 'systemProgram', 'tokenProgram']

/** The instructions by their number. */
const shapes = [
  { type: 'create', accounts: create },
  { type: 'createIdempotent', accounts: create },
  {
    type: 'recoverNested',
    accounts: [
      'nestedSource',
      'nestedMint',
      'destination',
      'nestedOwner',
      'ownerMint',
      'wallet',
      'tokenProgram',
    ],
  },
]

/** Parses an instruction of the Associated Token program. One without data creates an account. */
export const parseAssociatedToken: ParseInstruction = (accounts, data) => {
  const shape = shapes[data[0] ?? 0]
  return shape && { type: shape.type, info: nameAccounts(shape.accounts, accounts) }
}
