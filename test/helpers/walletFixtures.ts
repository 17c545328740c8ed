import { type Abi, type Address, encodeFunctionData, type Hex, parseTransaction } from 'viem'
import { getUserOperationHash } from 'viem/account-abstraction'
import { encodeExecution } from '../../src/engine/evm/execution.js'
import type { EvmSmartWalletTransaction, UserOperation, Wallet } from '../../src/schema/index.js'

export const walletAddress = `0x${'a1'.repeat(20)}`

export const walletFixture: Wallet = {
  type: 'evm-smart-wallet',
  address: walletAddress,
  linkedUser: 'email:ada@example.com',
  createdAt: '2026-01-01T00:00:00.000Z',
}

type Params = EvmSmartWalletTransaction['params']

/** An address all in capitals is taken as it is: it has no checksum. */
const withoutCapitals = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value), (_, field) =>
    typeof field === 'string' && /^0x[\dA-F]{40}$/.test(field) ? field.toLowerCase() : field,
  )

const encodeCall = (call: Params['calls'][number]) => {
  if ('transaction' in call) {
    const { to, value = 0n, data = '0x' } = parseTransaction(call.transaction as Hex)
    return { to: to as Address, value, data }
  }
  const data =
    'abi' in call
      ? encodeFunctionData({
          abi: call.abi as Abi,
          functionName: String(call.functionName).split('(')[0] as string,
          args: withoutCapitals(call.args as unknown[]),
        })
      : call.data
  return {
    to: (call.address ?? call.to) as Address,
    value: BigInt(String(call.value ?? 0)),
    data: data as Hex,
  }
}

/** A user operation of the wallet that makes calls, as the service builds it. */
export const operationFixture = (
  calls: Params['calls'],
  fields: Partial<UserOperation> = {},
): UserOperation => ({
  sender: walletAddress,
  nonce: '0x10000000000000000',
  callData: encodeExecution(calls.map(encodeCall)),
  callGasLimit: '0x5208',
  verificationGasLimit: '0x186a0',
  preVerificationGas: '0xc350',
  maxFeePerGas: '0x0',
  maxPriorityFeePerGas: '0x0',
  signature: '0x',
  ...fields,
})

/** What a signer signs of an operation on Base Sepolia: the hash that the EntryPoint v0.8 gives it. */
export const hashFixture = ({ sender, nonce, callData, ...rest }: UserOperation): Hex =>
  getUserOperationHash({
    chainId: 84532,
    entryPointAddress: '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108',
    entryPointVersion: '0.8',
    userOperation: {
      sender: sender as Address,
      nonce: BigInt(nonce),
      callData: callData as Hex,
      callGasLimit: BigInt(rest.callGasLimit),
      verificationGasLimit: BigInt(rest.verificationGasLimit),
      preVerificationGas: BigInt(rest.preVerificationGas),
      maxFeePerGas: BigInt(rest.maxFeePerGas),
      maxPriorityFeePerGas: BigInt(rest.maxPriorityFeePerGas),
      signature: '0x',
      ...(rest.factory !== undefined && {
        factory: rest.factory as Address,
        factoryData: (rest.factoryData ?? '0x') as Hex,
      }),
      ...(rest.paymaster !== undefined && {
        paymaster: rest.paymaster as Address,
        paymasterData: (rest.paymasterData ?? '0x') as Hex,
        paymasterVerificationGasLimit: BigInt(rest.paymasterVerificationGasLimit ?? 0),
        paymasterPostOpGasLimit: BigInt(rest.paymasterPostOpGasLimit ?? 0),
      }),
    },
  })

const defaultCalls = [{ to: walletAddress, value: '0', data: '0x' }]

/** What a transaction's signer is to sign, if it makes the fixture's own calls. */
export const message: string = hashFixture(operationFixture(defaultCalls))

/** A transaction as the service answers it, of a signer who has yet to approve it unless told otherwise. */
export const transactionFixture = (
  signer: string,
  fields: Partial<EvmSmartWalletTransaction> = {},
): EvmSmartWalletTransaction => {
  const params = fields.params ?? { calls: defaultCalls, chain: 'base-sepolia', signer }
  const userOperation = fields.onChain?.userOperation ?? operationFixture(params.calls)
  const userOperationHash = hashFixture(userOperation)
  return {
    id: '0b9f1c52-2b5e-4f0c-9a36-6f0c7d0f4a10',
    walletType: 'evm-smart-wallet',
    status: 'awaiting-approval',
    params,
    onChain: { userOperation, userOperationHash },
    approvals: { pending: [{ signer, message: userOperationHash }], submitted: [], required: 1 },
    createdAt: '2026-01-01T00:00:00.000Z',
    ...fields,
  }
}
