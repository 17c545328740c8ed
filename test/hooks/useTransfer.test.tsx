import { act, waitFor } from '@testing-library/react'
import { createWalletClient, encodeFunctionData, type Hex, http, parseAbi } from 'viem'
import { baseSepolia } from 'viem/chains'
import { describe, expect, inject, test } from 'vitest'
import { getDepositAddress } from '../../src/chain/index.js'
import { useOrder } from '../../src/hooks/useOrder.js'
import { usePayOrder } from '../../src/hooks/usePayOrder.js'
import { type UseTransferResult, useTransfer } from '../../src/hooks/useTransfer.js'
import { createBuyer } from '../helpers/createBuyer.js'
import { renderBuyerHook } from './wrapper.js'

const shop = inject('shop')

const requestOf = (transfer: UseTransferResult) => {
  if (transfer.status !== 'ready') throw new Error(`the transfer is ${transfer.status}`)
  return transfer.request
}

describe('useTransfer', () => {
  test('default: the request pays the order, and then there is none', async () => {
    const buyer = await createBuyer(shop)
    const { result } = renderBuyerHook(buyer, () => ({
      transfer: useTransfer(buyer.parameters),
      order: useOrder(buyer.parameters),
    }))
    await waitFor(() => expect(result.current.transfer.status).toBe('ready'))
    const { uri, units, address } = requestOf(result.current.transfer)
    expect(address).toBe(undefined)
    const [, to, query] = /^ethereum:(0x\w+)@84532\/pay\?(.*)$/.exec(uri) ?? []
    const asked = new URLSearchParams(query)
    expect(asked.get('value')).toBe(`${units}`)
    // Another account pays, which the page knows nothing of.
    const other = await createBuyer(shop)
    const wallet = createWalletClient({ chain: baseSepolia, transport: http(shop.rpcUrl) })
    await wallet.sendTransaction({
      account: other.account,
      to: to as Hex,
      value: units,
      data: encodeFunctionData({
        abi: parseAbi(['function pay(bytes32, uint256) payable']),
        args: [asked.get('bytes32') as Hex, BigInt(asked.get('uint256') ?? 0)],
      }),
    })
    await waitFor(() => expect(result.current.order.data?.phase).not.toBe('payment'))
    expect(result.current.transfer).toEqual({ status: 'unavailable' })
  })

  test('parameters: an order in a token', async () => {
    const buyer = await createBuyer(shop, { currency: 'usdc' })
    const { result } = renderBuyerHook(buyer, () => useTransfer(buyer.parameters))
    await waitFor(() => expect(result.current.status).toBe('ready'))
    const { contracts } = shop.rules
    if (!contracts) throw new Error('no contracts')
    expect(requestOf(result.current)).toMatchObject({
      address: getDepositAddress(contracts.depositFactory, buyer.parameters.orderId),
      chainId: 84532,
      currency: 'usdc',
    })
  })

  test('behavior: nothing is asked for while the connected wallet is, and again once it has declined', async () => {
    const buyer = await createBuyer(shop)
    const { result } = renderBuyerHook(buyer, () => ({
      transfer: useTransfer(buyer.parameters),
      payment: usePayOrder(buyer.parameters),
    }))
    await waitFor(() => expect(result.current.transfer.status).toBe('ready'))
    let decline = (): void => {}
    buyer.wallet.script.onSend = () =>
      new Promise((_, reject) => {
        decline = () => reject(Object.assign(new Error('declined'), { code: 4001 }))
      })
    let paying: Promise<unknown> | undefined
    act(() => {
      paying = result.current.payment.pay()
    })
    await waitFor(() => expect(result.current.payment.step.status).toBe('awaiting-signature'))
    expect(result.current.transfer).toEqual({ status: 'busy' })
    await act(async () => {
      decline()
      await paying
    })
    expect(result.current.transfer.status).toBe('ready')
  })
})
