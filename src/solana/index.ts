export type { SolanaPayments, SolanaWallet, SolanaWalletState, SolanaWallets } from '../pay/solanaPayments.js'
export { type SolanaParameters, solana } from './createSolana.js'
