import type { EvmMpcWalletParams, EvmSmartWalletParams } from 'kassa/schema'
import { isRecord } from '../read'

/** What a wallet is asked to do. */
export type WalletParams = EvmSmartWalletParams | EvmMpcWalletParams | { transaction: string }

/**
 * Whether all that a wallet is asked for is to send one token on, which is all that this shop's pages ask for: not to
 * move money, not to let another contract dispose of what it holds.
 */
export const isTokenTransfer = (params: WalletParams): boolean => {
  if ('transaction' in params) return false
  const [call, ...others] = 'calls' in params ? params.calls : [params.call]
  if (!call || !('functionName' in call) || others.length > 0) return false
  const { functionName, abi, value } = call
  const inputs = abi.length === 1 ? abi[0]?.inputs : undefined
  const types = Array.isArray(inputs) ? inputs.map((input) => (isRecord(input) ? input.type : undefined)) : []
  const isMoney = value !== undefined && value !== '0'
  return (
    functionName === 'safeTransferFrom' &&
    !isMoney &&
    ['address,address,uint256', 'address,address,uint256,uint256,bytes'].includes(types.join(','))
  )
}
