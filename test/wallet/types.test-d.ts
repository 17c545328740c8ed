import { useInfiniteQuery } from '@tanstack/react-query'
import { type Abi, parseAbi } from 'viem'
import { expectTypeOf, test } from 'vitest'
import type { AnyKassaError, Client } from '../../src/api/index.js'
import type { CreateWalletBody, WalletToken } from '../../src/schema/index.js'
import type { CheckTransaction } from '../../src/server/index.js'
import {
  contractCall,
  type FollowTransactionResult,
  type HolderIdentifier,
  type Passkey,
  type SendParams,
  type TransactionFailure,
  type UseTransactionResult,
  useTransaction,
  useWalletTokens,
  type WalletLocator,
  walletTokensInfiniteQueryOptions,
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

test('behavior: a call is held against its interface', () => {
  const abi = parseAbi([
    'function safeTransferFrom(address from, address to, uint256 tokenId)',
    'function f() view',
  ])
  const parts = { address: 'any text', abi } as const
  const args = ['0x', '0x', 1n] as const
  const call = contractCall({ ...parts, functionName: 'safeTransferFrom', args })
  expectTypeOf({ chain: 'base', calls: [call] } as const).toExtend<SendParams>()
  expectTypeOf({ chain: 'base', call } as const).toExtend<SendParams>()
  // @ts-expect-error no such function
  contractCall({ ...parts, functionName: 'safeTransferForm', args })
  // @ts-expect-error it changes nothing
  contractCall({ ...parts, functionName: 'f', args: [] })
  // @ts-expect-error an id is a number
  contractCall({ ...parts, functionName: 'safeTransferFrom', args: ['0x', '0x', 'one'] })
  // @ts-expect-error one is missing
  contractCall({ ...parts, functionName: 'safeTransferFrom', args: ['0x', '0x'] })
  // An interface that is not constant is taken as it is.
  const loose: Abi = abi
  contractCall({ ...parts, abi: loose, functionName: 'anything', args: [1] })
})

test('behavior: what follows one transaction has nothing to send with', () => {
  const walletLocator = 'me:evm-mpc-wallet'
  expectTypeOf(useTransaction({ walletLocator, transactionId: 'x' })).toEqualTypeOf<FollowTransactionResult>()
  expectTypeOf(useTransaction({ walletLocator })).toEqualTypeOf<UseTransactionResult>()
  expectTypeOf(useTransaction({ walletLocator, name: 'x' }).send).toBeFunction()
  // @ts-expect-error a name tells apart what is sent
  useTransaction({ walletLocator, transactionId: 'x', name: 'y' })
})

test('behavior: a failed step says whether its outcome is known', () => {
  const { step } = result
  if (step.status === 'failed') expectTypeOf(step.isOutcomeKnown).toEqualTypeOf<boolean>()
})

test('behavior: locators are offered by an editor, and any other text is taken', () => {
  expectTypeOf<'me:evm-smart-wallet'>().toExtend<WalletLocator>()
  expectTypeOf<string>().toExtend<WalletLocator>()
  expectTypeOf<'me:base'>().toExtend<HolderIdentifier>()
})

test('behavior: pages are of the list, or what select makes of them', () => {
  const options = walletTokensInfiniteQueryOptions(client, { identifier: 'me:base' })
  expectTypeOf(useInfiniteQuery(options).data?.pages).toEqualTypeOf<WalletToken[][] | undefined>()
  const count = walletTokensInfiniteQueryOptions(client, {
    identifier: 'me:base',
    query: { select: ({ pages }) => pages.length },
  })
  expectTypeOf(useInfiniteQuery(count).data).toEqualTypeOf<number | undefined>()
  // @ts-expect-error where it goes on is the list's own
  walletTokensInfiniteQueryOptions(client, { identifier: 'me:base', query: { initialPageParam: 2 } })
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
