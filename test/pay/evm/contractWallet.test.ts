import { setTimeout as sleep } from 'node:timers/promises'
import { type Address, concatHex, getAddress, type Hash, type Hex, keccak256, numberToHex, pad } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { type Buyer, createBuyer } from '../../helpers/createBuyer.js'
import type { Shop } from '../../helpers/createShop.js'
import { codeOf, follow, isCompleted, reach } from '../../helpers/follow.js'
import { ProviderError, type SendParameters } from '../../helpers/scriptedWallet.js'
import { useShop } from '../../helpers/useShop.js'

const shop = useShop()

// Makes the call it receives: 32 bytes of address, 32 of value, then the data. Reverts when the call does.
const runtime: Hex = '0x60403603806040600037600060009160006020356000355af160215760006000fd5b00'

/** Puts a contract wallet with funds on the chain: it has code, a balance, and no key. */
const deployContractWallet = async ({ world }: Shop, valueWei = 10n ** 18n): Promise<Address> => {
  const address = getAddress(privateKeyToAddress(generatePrivateKey()))
  await world.client.setCode({ address, bytecode: runtime })
  await world.client.setBalance({ address, value: valueWei })
  return address
}

/** What the owner of a contract wallet sends to have it make a call. */
const toExecution = (wallet: Address, { to, value, data }: SendParameters): SendParameters => ({
  to: wallet,
  data: concatHex([pad(to), numberToHex(BigInt(value ?? 0), { size: 32 }), data ?? '0x']),
})

/** The identifier such a wallet answers with, which is as long as a transaction's hash and is none. */
const toIdentifier = ({ to, data }: SendParameters): Hash => keccak256(concatHex([to, data ?? '0x']))

/** A buyer whose wallet is a contract. An owner's key pays for it, and it answers with its own identifier. */
const newContractBuyer = async (): Promise<Buyer & { execute: () => Promise<Hex> }> => {
  const payerAddress = await deployContractWallet(shop)
  const buyer = await createBuyer(shop.address, { payerAddress })
  let asked: SendParameters | undefined
  const execute = (): Promise<Hex> => {
    if (!asked) throw new Error('nothing was asked')
    return buyer.wallet.send(toExecution(payerAddress, asked))
  }
  buyer.wallet.script.onRequest = (method, params) => {
    if (method !== 'eth_sendTransaction') return undefined
    ;[asked] = params as [SendParameters]
    return Promise.resolve(toIdentifier(asked))
  }
  return { ...buyer, execute }
}

describe('a contract wallet', () => {
  test('behavior: its identifier is no hash; the payment is found by what it leaves on chain', async () => {
    const buyer = await newContractBuyer()
    void buyer.payment.pay(buyer.parameters)
    const step = await reach(buyer.payment, 'confirming', 'failed')
    const [attempt] = buyer.parameters.attemptStore.list(buyer.order.orderId)
    expect(attempt).toMatchObject({ isContractWallet: true, txId: 'txId' in step ? step.txId : '' })
    // The last owner signs.
    const txId = await buyer.execute()
    expect(await reach(buyer.payment, 'paid')).toMatchObject({ txId })
    const order = await follow(buyer, isCompleted)
    expect(order.payment.received).toMatchObject({ amount: '0.01', txId })
    expect(buyer.countSent()).toBe(1)
  })

  test('behavior: its owners may sign after a reload, and take their time', async () => {
    const buyer = await newContractBuyer()
    void buyer.payment.pay(buyer.parameters)
    await reach(buyer.payment, 'confirming', 'failed')
    const page = buyer.reload()
    // From one look at the clock to the next, three minutes pass.
    let flownMs = 0
    const now = (): number => {
      flownMs += 180_000
      return Date.now() + flownMs
    }
    // They may also refuse: after a while the buyer gets a choice, and is still followed.
    expect(codeOf(await page.payment.resume({ ...page.parameters, now }))).toBe('pay.uncertain')
    expect(codeOf(await page.payment.pay(page.parameters))).toBe('pay.uncertain')
    await buyer.execute()
    await reach(page.payment, 'paid')
    expect(buyer.countSent()).toBe(1)
  })

  test('behavior: a transaction of it that went through without the payment in it pays nothing', async () => {
    const payerAddress = await deployContractWallet(shop)
    const buyer = await createBuyer(shop.address, { payerAddress })
    buyer.wallet.script.onRequest = (method) =>
      method === 'eth_sendTransaction'
        ? buyer.wallet.send({ to: shop.world.operator, value: '0x0' })
        : undefined
    void buyer.payment.pay(buyer.parameters)
    await reach(buyer.payment, 'confirming')
    await sleep(700)
    expect(buyer.payment.getStep().status).toBe('confirming')
  })

  test('behavior: an account that delegates to a contract (EIP-7702) is followed by its hash', async () => {
    const buyer = await createBuyer(shop.address)
    const { address } = buyer.account
    await shop.world.client.setCode({ address, bytecode: `0xef0100${'00'.repeat(19)}01` })
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('paid')
    await follow(buyer, isCompleted)
  })
})

describe('a wallet of EIP-5792', () => {
  type Refusal = { code: number }

  /** A wallet that takes bundles of calls; plain transactions as told. */
  const newCallsBuyer = async ({ code }: Refusal, hasCalls = true) => {
    const buyer = await createBuyer(shop.address)
    const sent = new Map<string, Hex>()
    const state = { status: 100 }
    const answer = async (method: string, params: unknown): Promise<unknown> => {
      const unsupported = new ProviderError(code, 'not supported')
      if (method === 'eth_sendTransaction' || method === 'wallet_sendTransaction') throw unsupported
      if (!hasCalls) throw unsupported
      if (method === 'wallet_getCapabilities') return { '0x14a34': { atomic: { status: 'supported' } } }
      if (method === 'wallet_sendCalls') {
        const [{ calls }] = params as [{ calls: SendParameters[] }]
        const [call] = calls
        if (!call || calls.length !== 1) throw new Error('not one call')
        sent.set('bundle', await buyer.wallet.send(call))
        return { id: 'bundle' }
      }
      const receipt = await buyer.wallet.rpc('eth_getTransactionReceipt', [sent.get('bundle')])
      if (receipt) state.status = 200
      return {
        version: '2.0.0',
        id: 'bundle',
        chainId: '0x14a34',
        atomic: true,
        status: state.status,
        receipts: receipt ? [receipt] : undefined,
      }
    }
    buyer.wallet.script.onRequest = (method, params) =>
      /^wallet_(getCapabilities|sendCalls|getCallsStatus|sendTransaction)$|^eth_sendTransaction$/.test(method)
        ? answer(method, params)
        : undefined
    return { ...buyer, state }
  }

  test.for([4200, -32601])(
    'behavior: a wallet without plain transactions (%s) is asked for a bundle',
    async (code) => {
      const buyer = await newCallsBuyer({ code })
      await shop.world.client.setAutomine(false)
      try {
        void buyer.payment.pay(buyer.parameters)
        await reach(buyer.payment, 'confirming', 'failed')
        expect(buyer.parameters.attemptStore.list(buyer.order.orderId)).toMatchObject([{ callsId: 'bundle' }])
        const page = buyer.reload()
        void page.payment.resume(page.parameters)
        await shop.world.client.mine({ blocks: 1 })
        expect(await reach(buyer.payment, 'paid')).toMatchObject({ txId: expect.stringMatching(/^0x.{64}$/) })
        await reach(page.payment, 'paid')
      } finally {
        await shop.world.client.setAutomine(true)
      }
      expect(buyer.asked('wallet_sendCalls')).toMatchObject([
        {
          params: [
            {
              version: '2.0.0',
              from: buyer.account.address,
              chainId: '0x14a34',
              atomicRequired: false,
              calls: [
                {
                  to: expect.stringMatching(/^0x/),
                  value: expect.stringMatching(/^0x[1-9a-f]/),
                  data: expect.stringMatching(/^0x/),
                },
              ],
            },
          ],
        },
      ])
      await follow(buyer, isCompleted)
    },
  )

  test('behavior: the id of a bundle may be the whole answer', async () => {
    const buyer = await newCallsBuyer({ code: 4200 })
    const { onRequest } = buyer.wallet.script
    buyer.wallet.script.onRequest = (method, params) => {
      const answer = onRequest?.(method, params)
      return method === 'wallet_sendCalls' ? Promise.resolve(answer).then(() => 'bundle') : answer
    }
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('paid')
  })

  test.for([undefined, {}, { id: '' }])(
    'error: an answer without an id (%o) leaves the attempt, because the wallet may have sent',
    async (answer) => {
      const buyer = await newCallsBuyer({ code: 4200 })
      const { onRequest } = buyer.wallet.script
      buyer.wallet.script.onRequest = (method, params) =>
        method === 'wallet_sendCalls' ? Promise.resolve(answer) : onRequest?.(method, params)
      void buyer.payment.pay(buyer.parameters)
      await reach(buyer.payment, 'uncertain', 'failed')
      expect(buyer.parameters.attemptStore.list(buyer.order.orderId)).toHaveLength(1)
    },
  )

  test.for([
    [400, 'pay.wallet-failed'],
    [500, 'pay.reverted'],
  ] as const)('error: a bundle that ended with status %s is %s', async ([status, code]) => {
    const buyer = await newCallsBuyer({ code: 4200 })
    await shop.world.client.setAutomine(false)
    try {
      const receipt = { transactionHash: `0x${'cd'.repeat(32)}`, blockNumber: '0x1', gasUsed: '0x1' }
      const { onRequest } = buyer.wallet.script
      buyer.wallet.script.onRequest = (method, params) => {
        if (method === 'wallet_sendCalls') return Promise.resolve({ id: 'bundle' })
        if (method !== 'wallet_getCallsStatus') return onRequest?.(method, params)
        return Promise.resolve({
          version: '2.0.0',
          id: 'bundle',
          chainId: '0x14a34',
          atomic: true,
          status,
          receipts: status === 400 ? undefined : [receipt],
        })
      }
      expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe(code)
      expect(buyer.parameters.attemptStore.list(buyer.order.orderId)).toEqual([])
    } finally {
      await shop.world.client.setAutomine(true)
    }
  })

  test('behavior: a wallet with plain transactions is not asked for anything else', async () => {
    const buyer = await createBuyer(shop.address)
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('paid')
    expect(buyer.asked('wallet_getCapabilities')).toEqual([])
    expect(buyer.asked('wallet_sendCalls')).toEqual([])
  })

  test('error: pay.wallet-failed when it has neither', async () => {
    const buyer = await newCallsBuyer({ code: 4200 }, false)
    expect(codeOf(await buyer.payment.pay(buyer.parameters))).toBe('pay.wallet-failed')
    expect(buyer.asked('wallet_sendCalls')).toEqual([])
    expect(buyer.parameters.attemptStore.list(buyer.order.orderId)).toEqual([])
  })
})
