import type { ContractCall, WalletToken } from 'kassa/schema'

const input = (name: string, type: string) => ({ name, type })

const createAbi = (...inputs: { name: string; type: string }[]): ContractCall['abi'] => [
  { type: 'function', name: 'safeTransferFrom', stateMutability: 'nonpayable', inputs, outputs: [] },
]

const single = createAbi(input('from', 'address'), input('to', 'address'), input('tokenId', 'uint256'))
const multiple = createAbi(
  input('from', 'address'),
  input('to', 'address'),
  input('id', 'uint256'),
  input('value', 'uint256'),
  input('data', 'bytes'),
)

/**
 * The call that sends one token on, as a contract of its standard takes it. The safe form fails at a contract that
 * would not know what to do with a token, instead of losing it there.
 *
 * @returns Undefined for a token that is not on an EVM chain.
 */
export const createTransfer = (
  {
    contractAddress,
    tokenId,
    tokenStandard,
  }: Pick<WalletToken, 'contractAddress' | 'tokenId' | 'tokenStandard'>,
  { from, to }: { from: string; to: string },
): ContractCall | undefined => {
  if (!contractAddress || tokenId === undefined) return undefined
  const isMultiple = tokenStandard === 'ERC-1155'
  return {
    address: contractAddress,
    functionName: 'safeTransferFrom',
    abi: isMultiple ? multiple : single,
    args: isMultiple ? [from, to, tokenId, '1', '0x'] : [from, to, tokenId],
  }
}
