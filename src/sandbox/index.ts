export { type GetSandboxRulesParameters, getSandboxRules } from './evm/getSandboxRules.js'
export { type SandboxChainParameters, sandboxChain } from './evm/sandboxChain.js'
export { type SandboxWalletParameters, sandboxWallet } from './evm/sandboxWallet.js'
export type { SandboxPayment } from './sandboxPayment.js'
export { type GetSandboxSolanaParameters, getSandboxSolana } from './solana/getSandboxSolana.js'
export {
  registerSolanaSandboxWallet,
  type SolanaSandboxWalletParameters,
} from './solana/registerSolanaWallet.js'
