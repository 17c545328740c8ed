import { expect, test } from 'vitest'
import { readTransactionError } from '#adapters/chains/solana/local/transactionError.js'

test.each([
  ['AccountNotFound', 'AccountNotFound'],
  ['InstructionError(2, InvalidAccountData)', { InstructionError: [2, 'InvalidAccountData'] }],
  ['InstructionError(0, Custom(6001))', { InstructionError: [0, { Custom: 6001 }] }],
  ['DuplicateInstruction(3)', { DuplicateInstruction: 3 }],
  ['InsufficientFundsForRent { account_index: 1 }', { InsufficientFundsForRent: { account_index: 1 } }],
])('default: %s', (printed, error) => {
  const logs = '["Program log: err: Spoofed, fee: 1"]'
  expect(
    readTransactionError(`Failed { err: ${printed}, meta: TransactionMetadata { logs: ${logs} } }`),
  ).toEqual(error)
})
