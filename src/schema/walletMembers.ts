/**
 * The closed lists of wallets and of what they do.
 *
 * @source interface.md "Wallet transaction", "Fund wallet", "Wallet token entry"; answers.md "Wallets and transactions"
 */

/** The types of wallets. */
export const walletTypes = [
  'evm-smart-wallet',
  'evm-mpc-wallet',
  'solana-smart-wallet',
  'solana-mpc-wallet',
] as const

/** Who may control a smart wallet on an EVM chain: an account, a passkey, or the service as custodian. */
export const evmSignerTypes = ['evm-keypair', 'evm-passkey', 'evm-kassa-custodial'] as const

/** Who may control a wallet on any chain. */
export const signerTypes = [...evmSignerTypes, 'solana-keypair', 'solana-kassa-custodial'] as const

/** The statuses of a wallet's transaction. */
export const transactionStatuses = ['awaiting-approval', 'pending', 'failed', 'success'] as const

/** Why a wallet's transaction failed. */
export const transactionErrorReasons = [
  'build_failed',
  'failed_to_land_on_chain',
  'unknown',
  'sanctioned_wallet_address',
  'program_error',
  'execution_reverted',
] as const

/** Which part of a wallet's transaction reverted. */
export const revertTypes = ['contract_call', 'wallet_authorization', 'wallet_deployment'] as const

/** The chains that wallets send transactions on. */
export const transactionChains = [
  'base',
  'polygon',
  'optimism',
  'arbitrum',
  'mode',
  'story',
  'bsc',
  'shape',
  'ethereum-sepolia',
  'base-sepolia',
  'polygon-amoy',
  'optimism-sepolia',
  'arbitrum-sepolia',
  'mode-sepolia',
  'story-testnet',
] as const

/** The tokens that wallets can be funded with. */
export const fundTokens = ['usdc', 'usdxm', 'sol'] as const

/** The chains on which wallets can be funded. */
export const fundChains = [
  'arbitrum-sepolia',
  'avalanche-fuji',
  'base-sepolia',
  'barret-testnet',
  'ethereum-sepolia',
  'optimism-sepolia',
  'polygon-amoy',
  'sei-atlantic-2-testnet',
  'skale-nebula-testnet',
  'solana',
  'soneium-minato-testnet',
  'viction-testnet',
] as const

/** The standard of a token in a wallet, as the listing names it. */
export const walletTokenStandards = ['ERC-721', 'ERC-1155', 'ERC-5643'] as const

/** A kind of wallet. */
export type WalletType = (typeof walletTypes)[number]
/** Who may control a smart wallet on an EVM chain. */
export type EvmSignerType = (typeof evmSignerTypes)[number]
/** Who may control a wallet on any chain. */
export type SignerType = (typeof signerTypes)[number]
/** The status of a wallet's transaction. */
export type TransactionStatus = (typeof transactionStatuses)[number]
/** Why a wallet's transaction failed. */
export type TransactionErrorReason = (typeof transactionErrorReasons)[number]
/** Which part of a wallet's transaction reverted. */
export type RevertType = (typeof revertTypes)[number]
/** A chain that wallets send transactions on. */
export type TransactionChain = (typeof transactionChains)[number]
/** A token that wallets can be funded with. */
export type FundToken = (typeof fundTokens)[number]
/** A chain on which wallets can be funded. */
export type FundChain = (typeof fundChains)[number]
/** The standard of a token in a wallet. */
export type WalletTokenStandard = (typeof walletTokenStandards)[number]
