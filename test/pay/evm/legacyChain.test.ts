import { type Hex, parseTransaction } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startRelay } from '../../../service/test/helpers/startRelay.js'
import { createBuyer } from '../../helpers/createBuyer.js'
import { createShop, type Shop } from '../../helpers/createShop.js'
import { follow, isCompleted } from '../../helpers/follow.js'

let shop: Shop
let relay: Awaited<ReturnType<typeof startRelay>>

const withoutBaseFee = (text: string): string => {
  const { result, ...answer } = JSON.parse(text) as { result?: { baseFeePerGas?: string } }
  if (!result?.baseFeePerGas) return text
  const { baseFeePerGas: _, ...block } = result
  return JSON.stringify({ ...answer, result: block })
}

beforeAll(async () => {
  shop = await createShop({
    openNode: async (nodeUrl) => {
      relay = await startRelay(
        nodeUrl,
        async () => {},
        (body) =>
          /"eth_(feeHistory|maxPriorityFeePerGas)"/.test(body)
            ? { code: -32601, message: 'the method does not exist' }
            : undefined,
        (_, answer) => withoutBaseFee(answer),
      )
      return relay.url
    },
  })
})

afterAll(async () => {
  await shop.close()
  await relay.close()
})

describe('a chain whose blocks have no base fee', () => {
  test.each(['eth', 'usdc'])('default: a purchase in %s, by legacy transactions', async (currency) => {
    const buyer = await createBuyer(shop.address, { currency })
    if (currency === 'usdc') {
      await shop.mintTokens('usdc', 100_000_000n, buyer.account.address)
      await follow(buyer, ({ payment }) => payment.status === 'awaiting-payment')
    }
    const { payment } = await follow(buyer, () => true)
    const prepared = parseTransaction(payment.preparation?.serializedTransaction as Hex)
    expect(prepared).toMatchObject({ type: 'legacy', chainId: 84532 })
    expect((await buyer.payment.pay(buyer.parameters)).status).toBe('paid')
    const order = await follow(buyer, isCompleted)
    const txId = order.lineItems[0]?.delivery.txId as Hex
    const { type } = await shop.world.client.getTransaction({ hash: txId })
    expect({ delivery: order.lineItems[0]?.delivery.status, type }).toEqual({
      delivery: 'completed',
      type: 'legacy',
    })
  })
})
