import * as z from 'zod/mini'
import {
  ContractCall,
  DirectCall,
  EvmMpcWalletParams,
  EvmSmartWalletParams,
  SerializedCall,
  SolanaMpcWalletParams,
  type TransactionCall,
} from '../../schema/transactionInput.js'
import { invalid } from '../invalidInput.js'
import { discriminate, parseInput } from '../parseInput.js'
import type { ActingWalletType } from './signer.js'

/** The parameters of a requested transaction on an EVM chain, as the caller wrote them. */
export type AskedParams = EvmSmartWalletParams | EvmMpcWalletParams

/** The parameters that each type of wallet takes. */
type ParamsOf = {
  'evm-smart-wallet': EvmSmartWalletParams
  'evm-mpc-wallet': EvmMpcWalletParams
  'solana-mpc-wallet': SolanaMpcWalletParams
}

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
const MessageBody = z.object({ params: SolanaMpcWalletParams })
const MpcWalletBody = z.object({
  params: z.extend(EvmMpcWalletParams, { call: discriminate(accountShapeOf) }),
})

/** The fields that identify each form, and the wallet types that accept it. */
const forms = {
  calls: '{calls, chain, signer?} is the form of an evm-smart-wallet',
  call: '{call, chain} is the form of an evm-mpc-wallet',
  transaction: '{transaction, requiredSigners?} is the form of a solana-mpc-wallet',
}
const ownForms: Readonly<Record<ActingWalletType, keyof typeof forms>> = {
  'evm-smart-wallet': 'calls',
  'evm-mpc-wallet': 'call',
  'solana-mpc-wallet': 'transaction',
}
const shapes = {
  calls: '{calls, chain, signer?}',
  call: '{call, chain}',
  transaction: '{transaction, requiredSigners?}',
} as const
const bodies = {
  'evm-smart-wallet': SmartWalletBody,
  'evm-mpc-wallet': MpcWalletBody,
  'solana-mpc-wallet': MessageBody,
} as const

const assertForm = (type: ActingWalletType, params: Record<string, unknown>): void => {
  const own = ownForms[type]
  if (own in params) return
  const other = (['calls', 'call', 'transaction'] as const).find((field) => field in params)
  if (other === undefined) return
  throw invalid('params', `${forms[other]}; this ${type} takes ${shapes[own]}`)
}

/**
 * Reads the parameters of a transaction. The wallet's type determines which of the four forms it accepts.
 *
 * @throws {@link InvalidInput} naming the field, or the form that this wallet accepts.
 * @source interface.md "Create transaction"; answers.md "Wallets and transactions"
 */
export const readParams = <Type extends ActingWalletType>(type: Type, body: unknown): ParamsOf[Type] => {
  assertForm(type, parseInput(LooseBody, body, 'body').params)
  return parseInput<{ params: ParamsOf[ActingWalletType] }>(bodies[type], body, 'body')
    .params as ParamsOf[Type]
}
