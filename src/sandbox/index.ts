export type { SandboxPayment } from './describePayment.js'
export { type GetSandboxRulesParameters, getSandboxRules } from './getSandboxRules.js'
export { type GetSandboxSolanaParameters, getSandboxSolana } from './getSandboxSolana.js'
export {
  registerSolanaSandboxWallet,
  type SolanaSandboxWalletParameters,
} from './registerSolanaWallet.js'
export { type SandboxChainParameters, sandboxChain } from './sandboxChain.js'
export { type SandboxWalletParameters, sandboxWallet } from './sandboxWallet.js'
