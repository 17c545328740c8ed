import fc from 'fast-check'
import { custom, numberToHex, size } from 'viem'
import { baseSepolia } from 'viem/chains'
import { expect, test } from 'vitest'
import { createConfig } from 'wagmi'
import type { UserOperation } from '../../../src/schema/index.js'
import { checkOperation } from '../../../src/wallet/evm/checkOperation.js'
import { type FeeTerms, getMaxFeeWei } from '../../../src/wallet/evm/operationFee.js'
import {
  hashFixture,
  operationFixture,
  transactionFixture,
  walletAddress,
} from '../../helpers/walletFixtures.js'

const agreed = `0x${'ab'.repeat(20)}`
const foreign = `0x${'66'.repeat(20)}`
const calls = [{ to: foreign, value: '5', data: '0x' }]
const gwei = 10n ** 9n
const estimatedGas = 30_000n

/** An app whose own node asks for 1 gwei a unit of gas, and estimates each call at 30,000. */
const createApp = (answers: Record<string, unknown> = {}) => {
  const known: Record<string, unknown> = {
    eth_gasPrice: numberToHex(gwei),
    eth_estimateGas: numberToHex(estimatedGas),
    eth_call: '0x',
    ...answers,
  }
  const request = async ({ method }: { method: string }) => {
    if (known[method] === undefined) throw new Error(`${method} is not answered`)
    return known[method]
  }
  return createConfig({
    chains: [baseSepolia],
    transports: { [baseSepolia.id]: custom({ request }, { retryCount: 0 }) },
    batch: { multicall: false },
    multiInjectedProviderDiscovery: false,
    storage: null,
  })
}

type Asking = { terms?: FeeTerms; config?: ReturnType<typeof createApp> | undefined }

/** Has an operation checked that makes the calls that were asked for, and is honest but for these fields. */
const check = async (fields: Partial<UserOperation>, asking: Asking = { config: createApp() }) => {
  const userOperation = operationFixture(calls, fields)
  const message = hashFixture(userOperation)
  const params = { chain: 'base-sepolia' as const, calls }
  const onChain = { userOperation, userOperationHash: message }
  const transaction = transactionFixture(foreign, { params, onChain })
  await checkOperation({ transaction, message, address: walletAddress, asked: params, ...asking })
}

const price = (wei: bigint) => ({ maxFeePerGas: numberToHex(wei), maxPriorityFeePerGas: '0x1' })

const drain = { callGasLimit: numberToHex(10n ** 9n), ...price(1_000n * gwei) }

test.each<[string, Partial<UserOperation>, string]>([
  ['a fee of all that the wallet holds', drain, 'its fee may be'],
  ['gas that does nothing', { ...price(gwei), preVerificationGas: numberToHex(10n ** 8n) }, 'its fee may be'],
  ['a paymaster', { paymaster: foreign, paymasterData: '0x' }, `its fee is paid by the paymaster ${foreign}`],
  ['a factory', { factory: foreign, factoryData: '0x12' }, `it calls the factory ${foreign}`],
])('error: transaction.mismatch for %s that was not agreed to', async (_, fields, reason) => {
  await expect(check(fields)).rejects.toMatchObject({
    code: 'transaction.mismatch',
    context: { reason: expect.stringContaining(reason) },
  })
})

test('default: a fee as the service writes it is believable', async () => {
  // What it offers at most: the base fee of a block and a half ahead, twice.
  const honest = { verificationGasLimit: numberToHex(502_000n), preVerificationGas: numberToHex(330_000n) }
  await check({ ...honest, ...price((24n * gwei) / 10n), callGasLimit: numberToHex(65_000n) })
})

test('behavior: where the service pays there is nothing to bound, and no node is asked', async () => {
  await check({ callGasLimit: numberToHex(10n ** 12n) }, {})
})

test('parameters: terms.paymasters and terms.factories, in any spelling', async () => {
  const terms = { paymasters: [agreed.toUpperCase().replace('0X', '0x')], factories: [agreed] }
  await check({ ...drain, paymaster: agreed, factory: agreed, factoryData: '0x12' }, { terms })
})

test('parameters: terms.maxFeeWei takes the place of the node', async () => {
  const gas = { callGasLimit: '0x1', verificationGasLimit: '0x1', preVerificationGas: '0x1', ...price(100n) }
  await check(gas, { terms: { maxFeeWei: 300n } })
  await expect(check(gas, { terms: { maxFeeWei: 299n } })).rejects.toThrow('its fee may be')
  await expect(check(drain, { config: createApp(), terms: { maxFeeWei: 0n } })).rejects.toThrow(
    'its fee may be',
  )
})

test.each<[string, Asking]>([
  ['no node', {}],
  ['a node that is away', { config: createApp({ eth_gasPrice: undefined }) }],
  ['calls that revert by the node’s word', { config: createApp({ eth_estimateGas: undefined }) }],
])('error: transaction.mismatch where the fee cannot be checked: %s', async (_, asking) => {
  await expect(check(price(1n), asking)).rejects.toMatchObject({
    code: 'transaction.mismatch',
    context: { reason: expect.stringContaining('its fee cannot be checked') },
  })
})

test('behavior: what a chain takes for data beside gas is part of the bound', async () => {
  const fee = { ...price(gwei), preVerificationGas: numberToHex(30_000_000n) }
  await expect(check(fee)).rejects.toThrow('its fee may be')
  // 0.01 of the native currency.
  const config = createApp({ eth_call: numberToHex(10n ** 16n, { size: 32 }) })
  await check(fee, { config })
})

test('behavior: no operation is signed whose fee, payer or factory was not agreed to', async () => {
  const gas = fc
    .oneof(fc.bigInt(0n, 2_000_000n), fc.bigInt(0n, 2n ** 120n))
    .map((value) => numberToHex(value))
  const payer = fc.constantFrom(undefined, undefined, agreed, foreign)
  const config = createApp()
  const terms = { paymasters: [agreed], factories: [agreed] }
  const counts = { signed: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(
      fc.record({ callGasLimit: gas, verificationGasLimit: gas, preVerificationGas: gas }),
      fc.oneof(fc.bigInt(0n, 10n * gwei), fc.bigInt(0n, 2n ** 120n)),
      fc.record({ paymaster: payer, factory: payer }),
      async (limits, perGas, { paymaster, factory }) => {
        const fields = {
          ...limits,
          ...price(perGas),
          ...(paymaster && { paymaster }),
          ...(factory && { factory, factoryData: '0x12' }),
        }
        const isSigned = await check(fields, { config, terms }).then(
          () => true,
          () => false,
        )
        counts[isSigned ? 'signed' : 'refused']++
        const costWei = Object.values(limits).reduce((sum, each) => sum + BigInt(each), 0n) * perGas
        const bytes = BigInt(size(operationFixture(calls).callData as `0x${string}`))
        const boundWei = 4n * gwei * (2n * estimatedGas + 1_000_000n + 100n * bytes)
        const isAgreed = paymaster !== foreign && factory !== foreign
        expect(isSigned).toBe(isAgreed && (paymaster === agreed || costWei <= boundWei))
      },
    ),
    { numRuns: 400, seed: 9 },
  )
  expect(Math.min(counts.signed, counts.refused)).toBeGreaterThan(40)
})

test('behavior: the step names the most that is agreed to', () => {
  const limits = { callGasLimit: '0x1', verificationGasLimit: '0x2', preVerificationGas: '0x3' }
  const show = (fields: Partial<UserOperation>) => {
    const userOperation = { ...operationFixture(calls), ...limits, ...fields }
    return getMaxFeeWei(transactionFixture(foreign, { onChain: { userOperation, userOperationHash: '0x' } }))
  }
  expect(show(price(5n))).toBe(30n)
  expect(show(price(0n))).toBe(0n)
  expect(show({ ...price(5n), paymaster: agreed })).toBe(0n)
  const unread = { ...operationFixture(calls), maxFeePerGas: 'much' }
  const transaction = transactionFixture(foreign)
  const onChain = { ...transaction.onChain, userOperation: unread }
  expect(getMaxFeeWei({ ...transaction, onChain })).toBeUndefined()
})
