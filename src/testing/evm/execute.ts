import {
  encodeAbiParameters,
  encodeErrorResult,
  encodeEventTopics,
  encodeFunctionResult,
  erc20Abi,
  type Hex,
  isAddressEqual,
  isHex,
  parseAbi,
} from 'viem'
import { readRouterPay, readTransfer } from '../../chain/evm/calls.js'
import { RpcError } from '../../chain/evm/rpcError.js'
import { permit2Address } from '../../engine/evm/authorization.js'
import { paymentEvents } from '../../pay/evm/paymentLog.js'
import { contracts, listCurrencies, nameChain } from '../network.js'
import { callCollection } from './callCollection.js'
import type { Bank } from './createBank.js'
import type { SignatureLedger } from './createSignatureLedger.js'
import type { TokenLedger } from './createTokenLedger.js'
import type { TestCall, TestLog } from './testTransaction.js'

const abi = parseAbi([
  'error QuoteExpired(uint256 deadline)',
  'error NothingPaid()',
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
])

const selectors = { balanceOf: '0x70a08231', decimals: '0x313ce567', symbol: '0x95d89b41' }

const revert = (data: Hex): RpcError => new RpcError(3, 'execution reverted', data)

const toWord = (units: bigint): Hex => encodeAbiParameters([{ type: 'uint256' }], [units])

/** The effects of a call: its result, its logs, and its changes of balances and owners. */
export type Execution = { result: Hex; logs: TestLog[]; apply(): void }

/** A chain at a moment, to make calls on. */
export type ChainMoment = {
  chainId: number
  bank: Bank
  tokens: TokenLedger
  signatures: SignatureLedger
  timestamp: bigint
}

const move = ({ chainId, bank }: ChainMoment, { from, value }: TestCall, to: TestCall['to']): void => {
  const [payer, payee] = [
    { chainId, owner: from },
    { chainId, owner: to },
  ]
  bank.set(payer, bank.get(payer, 18) - value)
  bank.set(payee, bank.get(payee, 18) + value)
}

const payRouter = (world: ChainMoment, call: TestCall): Execution => {
  const pay = readRouterPay(call.data)
  if (!pay) throw revert('0x')
  const { orderRef, deadline } = pay
  if (world.timestamp > deadline) {
    throw revert(encodeErrorResult({ abi, errorName: 'QuoteExpired', args: [deadline] }))
  }
  if (call.value === 0n) throw revert(encodeErrorResult({ abi, errorName: 'NothingPaid' }))
  const topics = encodeEventTopics({
    abi: paymentEvents,
    eventName: 'Paid',
    args: { orderRef, payer: call.from },
  })
  return {
    result: '0x',
    logs: [
      {
        address: contracts.router,
        topics: topics.filter((topic) => isHex(topic)),
        data: toWord(call.value),
      },
    ],
    apply: () => move(world, call, contracts.router),
  }
}

type Coin = { currency: string; decimals: number; address: TestCall['to'] }

const callToken = (
  { chainId, bank, signatures }: ChainMoment,
  call: TestCall,
  { address, decimals, currency }: Coin,
): Execution => {
  const answer = (result: Hex): Execution => ({ result, logs: [], apply: () => {} })
  const placeOf = (owner: Hex) => ({ chainId, owner, token: address })
  const transfer = readTransfer(call.data)
  if (transfer) {
    const { recipient, units } = transfer
    const balance = bank.get(placeOf(call.from), decimals)
    if (balance < units) {
      const args = [call.from, balance, units] as const
      throw revert(encodeErrorResult({ abi, errorName: 'ERC20InsufficientBalance', args }))
    }
    const topics = encodeEventTopics({
      abi: paymentEvents,
      eventName: 'Transfer',
      args: { from: call.from, to: recipient },
    })
    return {
      result: toWord(1n),
      logs: [{ address, topics: topics.filter((topic) => isHex(topic)), data: toWord(units) }],
      apply: () => {
        bank.set(placeOf(call.from), balance - units)
        bank.set(placeOf(recipient), bank.get(placeOf(recipient), decimals) + units)
      },
    }
  }
  if (call.data.startsWith(selectors.balanceOf)) {
    const owner = `0x${call.data.slice(34, 74)}` as const
    return answer(toWord(bank.get(placeOf(owner), decimals)))
  }
  if (call.data === selectors.decimals) return answer(toWord(BigInt(decimals)))
  if (call.data === selectors.symbol) {
    const result = currency.toUpperCase()
    return answer(encodeFunctionResult({ abi: erc20Abi, functionName: 'symbol', result }))
  }
  const asked = signatures.askToken(chainId, { currency, address }, call.data)
  if (asked) return answer(asked)
  throw revert('0x')
}

/**
 * Runs a call on a test chain: a payment of the router, a currency's or a token's own functions, or a plain transfer.
 *
 * @throws RpcError with code 3 and the revert data, or -32000 where the money is missing.
 */
export const execute = (world: ChainMoment, call: TestCall): Execution => {
  const { chainId, bank, tokens, signatures } = world
  if (bank.get({ chainId, owner: call.from }, 18) < call.value) {
    throw new RpcError(-32000, 'insufficient funds for gas * price + value')
  }
  if (isAddressEqual(call.to, contracts.router)) return payRouter(world, call)
  if (isAddressEqual(call.to, permit2Address)) {
    return { result: signatures.askPermit2(chainId, call.data), logs: [], apply: () => {} }
  }
  const chain = nameChain(chainId)
  const coins = chain ? listCurrencies(chain) : []
  for (const { address, ...coin } of coins) {
    if (address && isAddressEqual(call.to, address)) return callToken(world, call, { address, ...coin })
  }
  if (tokens.isContract(chainId, call.to)) return callCollection(tokens, chainId, call)
  return { result: '0x', logs: [], apply: () => move(world, call, call.to) }
}

/**
 * Makes several calls after each other, all or none.
 *
 * @throws RpcError as {@link execute} does.
 */
export const executeAll = (world: ChainMoment, calls: readonly TestCall[]): TestLog[] => {
  const undo = [world.bank.save(), world.tokens.save()]
  try {
    return calls.flatMap((call) => {
      const { logs, apply } = execute(world, call)
      apply()
      return logs
    })
  } catch (error) {
    for (const restore of undo) restore()
    throw error
  }
}
