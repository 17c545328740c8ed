import * as z from 'zod/mini'
import {
  ContractCall,
  DirectCall,
  EvmMpcWalletParams,
  EvmSmartWalletParams,
  SerializedCall,
} from '../../../schema/transactionInput.js'
import { badInput, readInput } from '../httpError.js'
import type { TestUserWallet } from './testUserWallet.js'

/** What a wallet is asked to do, as its caller wrote it. */
export type AskedParams = EvmSmartWalletParams | EvmMpcWalletParams

/** A body before the type of the wallet says what may be in it. */
const LooseBody = z.object({ params: z.record(z.string(), z.unknown(), 'expected an object') })
const AnyCalls = z.object({
  params: z.object({
    calls: z
      .array(z.unknown())
      .check(z.minLength(1, 'expected at least 1 call'), z.maxLength(50, 'expected at most 50 calls')),
  }),
})
const AnyCall = z.object({ params: z.object({ call: z.unknown() }) })
const nothing = z.never('expected {address, functionName, abi, args}, {to, value, data} or {transaction}')
const ValuedCall = z.extend(DirectCall, { value: z.optional(DirectCall.shape.value) })

const has = (call: unknown, ...fields: string[]): boolean =>
  typeof call === 'object' && call !== null && fields.some((field) => field in call)

/** The shape that a call is meant to have: so that its faults are named by its own fields. */
const shapeOf = (call: unknown): z.ZodMiniType =>
  has(call, 'transaction')
    ? SerializedCall
    : has(call, 'functionName', 'abi', 'args', 'address')
      ? ContractCall
      : has(call, 'to', 'data')
        ? DirectCall
        : nothing

const accountShapeOf = (call: unknown): z.ZodMiniType =>
  has(call, 'functionName', 'abi', 'args', 'address') ? ContractCall : ValuedCall

/** Which fields tell whose form it is. */
const forms = {
  calls: '{calls, chain, signer?} is the form of an evm-smart-wallet',
  call: '{call, chain} is the form of an evm-mpc-wallet',
  transaction: '{transaction} is the form of a Solana wallet, and Solana is not enabled on this deployment',
}
const ownForms: Readonly<Record<TestUserWallet['type'], keyof typeof forms>> = {
  'evm-smart-wallet': 'calls',
  'evm-mpc-wallet': 'call',
}

const assertForm = (type: TestUserWallet['type'], params: Record<string, unknown>): void => {
  const own = ownForms[type]
  if (own in params) return
  const other = (['calls', 'call', 'transaction'] as const).find((field) => field in params)
  if (other === undefined) return
  const taken = own === 'calls' ? '{calls, chain, signer?}' : '{call, chain}'
  throw badInput(`params: ${forms[other]}; this ${type} takes ${taken}`)
}

/**
 * Reads what a wallet is asked to do. Which of the four forms it takes is the wallet's matter.
 *
 * @throws {@link HttpError} naming the field, or the form that this wallet takes.
 * @source interface.md "Create transaction"; answers.md "Wallets and transactions"
 */
export const readParams = (type: TestUserWallet['type'], body: unknown): AskedParams => {
  assertForm(type, readInput(LooseBody, body, 'body').params)
  if (type === 'evm-mpc-wallet') {
    const { call } = readInput(AnyCall, body, 'body').params
    const Params = z.extend(EvmMpcWalletParams, { call: accountShapeOf(call) })
    readInput(z.object({ params: Params }), body, 'body')
    return readInput(z.object({ params: EvmMpcWalletParams }), body, 'body').params
  }
  const [first = nothing, ...rest] = readInput(AnyCalls, body, 'body').params.calls.map(shapeOf)
  const Params = z.extend(EvmSmartWalletParams, { calls: z.tuple([first, ...rest]) })
  readInput(z.object({ params: Params }), body, 'body')
  return readInput(z.object({ params: EvmSmartWalletParams }), body, 'body').params
}
