import { expectTypeOf, test } from 'vitest'
import type {
  EvmSmartWalletTransaction,
  OtherTransaction,
  Transaction,
  UnknownWalletType,
  WalletType,
} from '../../src/schema/index.js'

declare const transaction: Transaction

test('default: the type of wallet narrows the transaction', () => {
  if (transaction.walletType === 'evm-smart-wallet') {
    expectTypeOf(transaction).toEqualTypeOf<EvmSmartWalletTransaction>()
    expectTypeOf(transaction.onChain.userOperationHash).toEqualTypeOf<string>()
  }
  switch (transaction.walletType) {
    case 'evm-smart-wallet':
    case 'evm-mpc-wallet':
    case 'solana-smart-wallet':
    case 'solana-mpc-wallet':
      break
    default:
      expectTypeOf(transaction).toEqualTypeOf<OtherTransaction>()
      expectTypeOf(transaction.walletType).toExtend<string>()
  }
})

test('behavior: what every transaction has needs no narrowing', () => {
  expectTypeOf(transaction.id).toEqualTypeOf<string>()
  expectTypeOf(transaction.onChain.txId).toEqualTypeOf<string | undefined>()
  expectTypeOf(transaction.completedAt).toEqualTypeOf<string | number | undefined>()
  expectTypeOf(transaction.sendParams?.params?.recipientAddress).toEqualTypeOf<string | undefined>()
})

test('behavior: a type that is not known is none of the known', () => {
  expectTypeOf<WalletType & UnknownWalletType>().toBeNever()
  expectTypeOf('sui-smart-wallet' as UnknownWalletType).toExtend<Transaction['walletType']>()
})
