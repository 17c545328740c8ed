import { encodeFunctionData, erc20Abi, type Hex, parseAbi, serializeTransaction } from 'viem'
import { getDepositAddress, toOrderReference } from '../../chain/orderAddresses.js'
import { evmChains } from '../../schema/chains.js'
import type { PaymentStatus } from '../../schema/members.js'
import { gasPriceWei, gasUsed, type TestCall } from '../chain/testTransaction.js'
import { contracts } from '../network.js'
import type { TestOrder } from './testOrder.js'
import type { TestWorld } from './testWorld.js'

const abi = parseAbi(['function pay(bytes32 orderRef, uint256 deadline) payable'])

/** The call that pays an order. @units `units` in base units of the payment's currency */
export const getPaymentCall = (
  { orderId, quote, payment }: Pick<TestOrder, 'orderId' | 'quote' | 'payment'>,
  units: bigint,
): Omit<TestCall, 'from'> => {
  if (payment.token) {
    const args = [getDepositAddress(contracts.depositFactory, orderId), units] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
    return { to: payment.token, valueWei: 0n, data }
  }
  const deadline = BigInt(Math.floor((quote.expiresAtMs ?? 0) / 1_000))
  const data: Hex = encodeFunctionData({ abi, args: [toOrderReference(orderId), deadline] })
  return { to: contracts.router, valueWei: units, data }
}

/** What the payment waits for, and the transaction to sign where nothing but that is missing. */
type Prepared = { status: PaymentStatus; serializedTransaction?: string }

const lacksReceiptEmail = ({ items, payment }: TestOrder): boolean =>
  payment.receiptEmail === undefined &&
  items.some(({ quote, requires }) => quote.status === 'valid' && requires?.includes('receipt-email'))

/** Looks what the payer of a quoted order has, and builds the unsigned transaction that pays for it. */
export const preparePayment = ({ chains }: TestWorld, order: TestOrder): Prepared => {
  const { quote, payment } = order
  const { payerAddress, token, decimals } = payment
  if (lacksReceiptEmail(order)) return { status: 'requires-email' }
  if (payerAddress === undefined) return { status: 'requires-crypto-payer-address' }
  const { chainId } = evmChains[payment.chain]
  const units = quote.totalUnits ?? 0n
  const call = getPaymentCall(order, units)
  const nativeWei = chains.bank.get(chainId, payerAddress, undefined, 18)
  const held = token ? chains.bank.get(chainId, payerAddress, token, decimals) : nativeWei
  if (held < units) return { status: 'crypto-payer-insufficient-funds' }
  const gas = (gasUsed * 5n) / 4n
  const maxFeePerGas = gasPriceWei * 4n
  if (nativeWei < call.valueWei + gas * maxFeePerGas) {
    return { status: 'crypto-payer-insufficient-funds-for-gas' }
  }
  const { to, valueWei: value, data } = call
  const fees = { gas, maxFeePerGas, maxPriorityFeePerGas: gasPriceWei }
  return {
    status: 'awaiting-payment',
    serializedTransaction: serializeTransaction({ type: 'eip1559', chainId, to, value, data, ...fees }),
  }
}
