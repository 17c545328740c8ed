import { causes, readProperty } from './causes.js'

// 4001 is EIP-1193's refusal by the user, 5000 is what WalletConnect answers for the same, the last is ethers'.
const rejections: readonly unknown[] = [4001, 5000, 'ACTION_REJECTED']

/** Whether a wallet did not do what it was asked for because its owner declined. */
export const isRejection = (error: unknown): boolean =>
  causes(error).some((cause) => rejections.includes(readProperty(cause, 'code')))
