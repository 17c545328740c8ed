import * as z from 'zod/mini'
import {
  ContractCall,
  DirectCall,
  EvmMpcWalletParams,
  EvmSmartWalletParams,
  SerializedCall,
  type TransactionCall,
} from '../../schema/transactionInput.js'
import { invalid } from '../invalidInput.js'
import { discriminate, parseInput } from '../parseInput.js'
import type { EvmWalletType } from './signer.js'

/** The parameters of a requested transaction, as the caller wrote them. */
export type AskedParams = EvmSmartWalletParams | EvmMpcWalletParams

/** A body before the wallet's type determines its schema. */
const LooseBody = z.object({ params: z.record(z.string(), z.unknown(), 'expected an object') })
const nothing = z.never('expected {address, functionName, abi, args}, {to, value, data} or {transaction}')
const ValuedCall = z.extend(DirectCall, { value: z.optional(DirectCall.shape.value) })

const has = (call: unknown, ...fields: string[]): boolean =>
  typeof call === 'object' && call !== null && fields.some((field) => field in call)

const shapeOf = (call: unknown): z.ZodMiniType<TransactionCall> =>
  has(call, 'transaction')
    ? SerializedCall
    : has(call, 'functionName', 'abi', 'args', 'address')
      ? ContractCall
      : has(call, 'to', 'data')
        ? DirectCall
        : nothing

const accountShapeOf = (call: unknown): z.ZodMiniType<EvmMpcWalletParams['call']> =>
  has(call, 'functionName', 'abi', 'args', 'address') ? ContractCall : ValuedCall

const SmartWalletBody = z.object({
  params: z.extend(EvmSmartWalletParams, {
    calls: z.pipe(
      z
        .array(z.unknown())
        .check(z.minLength(1, 'expected at least 1 call'), z.maxLength(50, 'expected at most 50 calls')),
      z.array(discriminate(shapeOf)),
    ),
  }),
})
const MpcWalletBody = z.object({
  params: z.extend(EvmMpcWalletParams, { call: discriminate(accountShapeOf) }),
})

/** The fields that identify each form, and the wallet types that accept it. */
const forms = {
  calls: '{calls, chain, signer?} is the form of an evm-smart-wallet',
  call: '{call, chain} is the form of an evm-mpc-wallet',
  transaction: '{transaction} is the form of a Solana wallet, and Solana is not enabled on this deployment',
}
const ownForms: Readonly<Record<EvmWalletType, keyof typeof forms>> = {
  'evm-smart-wallet': 'calls',
  'evm-mpc-wallet': 'call',
}

const assertForm = (type: EvmWalletType, params: Record<string, unknown>): void => {
  const own = ownForms[type]
  if (own in params) return
  const other = (['calls', 'call', 'transaction'] as const).find((field) => field in params)
  if (other === undefined) return
  const taken = own === 'calls' ? '{calls, chain, signer?}' : '{call, chain}'
  throw invalid('params', `${forms[other]}; this ${type} takes ${taken}`)
}

/**
 * Reads the parameters of a transaction. The wallet's type determines which of the four forms it accepts.
 *
 * @throws {@link InvalidInput} naming the field, or the form that this wallet accepts.
 * @source interface.md "Create transaction"; answers.md "Wallets and transactions"
 */
export const readParams = (type: EvmWalletType, body: unknown): AskedParams => {
  assertForm(type, parseInput(LooseBody, body, 'body').params)
  return parseInput<{ params: AskedParams }>(
    type === 'evm-mpc-wallet' ? MpcWalletBody : SmartWalletBody,
    body,
    'body',
  ).params
}
