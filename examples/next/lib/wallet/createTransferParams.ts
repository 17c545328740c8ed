import { transactionChains, type Wallet, type WalletToken } from 'kassa/schema'
import type { SendParams } from 'kassa/wallet'
import { createTransfer } from './createTransfer'

/**
 * What a wallet is asked for, to send a token on: as a wallet of its type takes it.
 *
 * @returns Undefined for a token on a chain that wallets do not send on.
 */
export const createTransferParams = (
  token: WalletToken,
  wallet: Wallet,
  to: string,
): SendParams | undefined => {
  const chain = transactionChains.find((name) => name === token.chain)
  const call = createTransfer(token, { from: wallet.address, to })
  if (!chain || !call) return undefined
  return wallet.type === 'evm-smart-wallet' ? { calls: [call], chain } : { call, chain }
}
