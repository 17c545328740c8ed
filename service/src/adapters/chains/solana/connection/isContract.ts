import {
  type Address,
  fetchEncodedAccount,
  isOffCurveAddress,
  type Rpc,
  type SolanaRpcApi,
} from '@solana/kit'

/** Whether an address is a program's, or one of which no key can exist. */
export const isContract = async (rpc: Rpc<SolanaRpcApi>, address: Address): Promise<boolean> => {
  if (isOffCurveAddress(address)) return true
  const account = await fetchEncodedAccount(rpc, address, { commitment: 'confirmed' })
  return account.exists && account.executable
}
