import { causes, readProperty } from './causes.js'

// 4001 is EIP-1193's code for a user's rejection, 4001000 is the Wallet Standard's, 5000 is WalletConnect's, and the last one
// is ethers'.
const rejections: readonly unknown[] = [4001, 4_001_000, 5000, 'ACTION_REJECTED']

/** Whether a wallet failed because its owner declined. */
export const isRejection = (error: unknown): boolean =>
  causes(error).some((cause) => rejections.includes(readProperty(cause, 'code')))
