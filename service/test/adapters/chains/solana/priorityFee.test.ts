import { address, createSolanaRpcFromTransport, type Instruction } from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import { expect, test } from 'vitest'
import { createPriorityFee, estimateFee } from '#adapters/chains/solana/outbox/priorityFee.js'

const account = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')

/** A node whose recent transactions paid these prices. */
const nodeWith = (...prices: number[]) => {
  const asked: unknown[] = []
  const rpc = createSolanaRpcFromTransport(async ({ payload }) => {
    asked.push(Object(payload).params)
    const result = prices.map((prioritizationFee, slot) => ({ slot, prioritizationFee }))
    return { jsonrpc: '2.0', id: Object(payload).id, result } as never
  })
  return { rpc, asked }
}

const transfer: Instruction = getTransferSolInstruction({
  source: { address: account } as never,
  destination: address('So11111111111111111111111111111111111111112'),
  amount: 1n,
})

test('default: what three of four recent transactions paid at most', async () => {
  const { rpc, asked } = nodeWith(0, 2_000, 1_000, 9_000_000)
  const [, price] = await createPriorityFee(rpc, [transfer])
  expect(Buffer.from(price?.data ?? []).readBigUInt64LE(1)).toBe(2_000n)
  expect(asked).toEqual([[[account, 'So11111111111111111111111111111111111111112']]])
})

test('behavior: none while no recent transaction paid one', async () => {
  expect(await createPriorityFee(nodeWith(0, 0, 0).rpc, [transfer])).toEqual([])
  expect(await createPriorityFee(nodeWith().rpc, [transfer])).toEqual([])
})

test('behavior: the fee of a write is bounded, however much others pay', async () => {
  const estimate = (price?: number, signatures = 1n) =>
    estimateFee((price === undefined ? nodeWith() : nodeWith(price)).rpc, [account], { signatures })
  expect(await estimate()).toBe(5_000n)
  expect(await estimate(10_000)).toBe(8_000n)
  expect(await estimate(10 ** 12)).toBe(305_000n)
  expect(await estimate(10_000, 2n)).toBe(13_000n)
})
