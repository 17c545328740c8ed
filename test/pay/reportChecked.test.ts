import { expect, test } from 'vitest'
import type { CheckedPayment } from '../../src/chain/index.js'
import { toFacts } from '../../src/pay/evm/openEvm.js'
import { reportChecked } from '../../src/pay/reportChecked.js'
import type { CheckoutEvent } from '../../src/query.js'

const token = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
const deposit = '0x52908400098527886E0F7030069857D2E4169EE7'
const payment: CheckedPayment = {
  chain: 'base-sepolia',
  chainId: 84532,
  payerAddress: '0x9F3b6b1C0a4e2cF6d1B27F4E5cD0A1b2C3d4E5F6',
  to: token,
  valueWei: 0n,
  data: '0xa9059cbb',
  recipient: deposit,
  currency: 'usdc',
  units: 1_250_000n,
  token: { address: token, decimals: 6 },
}

test('default: a payment in a token, and of the payer nothing', () => {
  const events: CheckoutEvent[] = []
  const context = { orderId: 'order', now: () => 7, onEvent: (event: CheckoutEvent) => events.push(event) }
  reportChecked(context, toFacts(payment, { gas: undefined, isContractWallet: true, blockNumber: 12n }))
  expect(events).toEqual([
    {
      type: 'payment.checked',
      orderId: 'order',
      chain: 'base-sepolia',
      chainId: 84532,
      to: token,
      recipient: deposit,
      amount: { amount: '1.25', currency: 'usdc' },
      token,
      gas: undefined,
      simulatedAtBlock: '12',
      atMs: 7,
    },
  ])
  expect(() => JSON.stringify(events)).not.toThrow()
})
