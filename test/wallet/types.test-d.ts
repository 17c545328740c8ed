import { parseAbi } from 'viem'
import { expectTypeOf, test } from 'vitest'
import type { AnyKassaError, Client } from '../../src/api/index.js'
import type { CreateWalletBody, WalletToken } from '../../src/schema/index.js'
import type { CheckTransaction } from '../../src/server/index.js'
import {
  type Passkey,
  type SendParams,
  type TransactionFailure,
  type UseTransactionResult,
  useWalletTokens,
  walletTokensQueryOptions,
} from '../../src/wallet/index.js'

declare const client: Client
declare const result: UseTransactionResult

test('behavior: select decides what a hook gives', () => {
  const names = useWalletTokens({
    identifier: 'me:base',
    query: { select: (tokens) => tokens.map(({ metadata }) => metadata.name) },
  })
  expectTypeOf(names.data).toEqualTypeOf<(string | undefined)[] | undefined>()
  expectTypeOf(names.error).toEqualTypeOf<AnyKassaError | null>()
  expectTypeOf(useWalletTokens({ identifier: 'me:base' }).data).toEqualTypeOf<WalletToken[] | undefined>()
  // @ts-expect-error the key is the hook's own
  walletTokensQueryOptions(client, { identifier: 'me:base', query: { queryKey: ['x'] } })
})

test('behavior: a step narrows, and so does its error', () => {
  const { step } = result
  if (step.status !== 'failed') return
  expectTypeOf(step.error).toEqualTypeOf<TransactionFailure>()
  if (step.error.code === 'transaction.wrong-signer') {
    expectTypeOf(step.error.context).toEqualTypeOf<{ expected: string; connected: string }>()
  }
  // @ts-expect-error of a payment, which this is not
  if (step.error.code === 'pay.rejected') return
})

test('behavior: what is constant is taken as it is', () => {
  const abi = parseAbi(['function safeTransferFrom(address from, address to, uint256 tokenId)'])
  const written = [{ type: 'function', name: 'f', inputs: [], outputs: [], stateMutability: 'view' }] as const
  const call = { address: '0x', functionName: 'safeTransferFrom', abi, args: ['0x', '0x', 1n] as const }
  const params = { chain: 'base', calls: [call, { ...call, abi: written }] } as const
  expectTypeOf(params).toExtend<SendParams>()
  expectTypeOf({ chain: 'base', call } as const).toExtend<SendParams>()
})

test('behavior: a transaction of every type of wallet may have a link', () => {
  const { step } = result
  if (step.status !== 'succeeded') return
  expectTypeOf(step.transaction.onChain.explorerLink).toEqualTypeOf<string | undefined>()
})

test('behavior: a passkey is what a new wallet takes', () => {
  expectTypeOf<Passkey>().toExtend<NonNullable<NonNullable<CreateWalletBody['config']>['adminSigner']>>()
})

test('behavior: canSend narrows by the type of the wallet', () => {
  const canSend: CheckTransaction = (transaction) => {
    if (transaction.walletType === 'evm-smart-wallet')
      expectTypeOf(transaction.params.calls).toExtend<readonly object[]>()
    // @ts-expect-error of smart wallets alone
    if (transaction.walletType === 'evm-mpc-wallet') return transaction.params.calls.length > 0
    return true
  }
  expectTypeOf(canSend).toBeFunction()
})
