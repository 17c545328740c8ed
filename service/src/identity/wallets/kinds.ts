import { familyOfWallet } from 'kassa/engine'
import type { Config } from '#base/config/config.js'
import type { Deps } from '#base/deps.js'
import type { ChainPort } from '#base/ports/chain.js'
import type { WalletPort } from '#base/ports/wallet.js'
import type { WalletRow } from './findWallet.js'
import { toProgramRef, toSmartWalletRef } from './smartWalletRef.js'

type Signed = Pick<WalletRow, 'id' | 'adminSigner'>

/** What distinguishes a type of wallet. Its transactions are in `holdings/transactions/kinds.ts`. */
type WalletKind = {
  /** Whether others pay its gas, when it pays for an order on a deployment with this configuration. */
  isGasPaid: (config: Pick<Config, 'sponsorsGas'>) => boolean
  /** Returns its address, which is the same on every chain of its family. */
  addressOf: (port: WalletPort, wallet: Signed) => string
}

/** The address of an account is that of its key. */
const accountAddress = (_: WalletPort, { adminSigner: { address } }: Signed): string => {
  if (address === undefined) throw new Error('an account without the address of its key')
  return address
}

const kinds: Readonly<Record<WalletRow['type'], WalletKind>> = {
  'evm-smart-wallet': {
    isGasPaid: () => true,
    addressOf: ({ operations }, wallet) => {
      if (!operations) throw new Error('the family of an evm-smart-wallet has no smart wallets')
      return operations.walletAddress(toSmartWalletRef(wallet))
    },
  },
  'evm-mpc-wallet': {
    isGasPaid: ({ sponsorsGas }) => sponsorsGas,
    addressOf: accountAddress,
  },
  'solana-mpc-wallet': {
    isGasPaid: () => false,
    addressOf: accountAddress,
  },
  'solana-smart-wallet': {
    isGasPaid: () => false,
    addressOf: ({ programs }, wallet) => {
      if (!programs) throw new Error('no adapter of a program for a solana-smart-wallet')
      return programs.walletAddress(toProgramRef(wallet))
    },
  },
}

/** Returns what distinguishes a type of wallet. */
export const kindOf = (type: WalletRow['type']): WalletKind => kinds[type]

/**
 * Whether the service signs for a wallet. Then its transactions need no approval, and only the service
 * numbers its operations.
 */
export const isCustodial = ({ signerType }: Pick<WalletRow, 'signerType'>): boolean =>
  signerType === 'evm-kassa-custodial' || signerType === 'solana-kassa-custodial'

/** Lists the enabled chains on which a wallet exists. */
export const listChainsOf = (
  { chains }: Pick<Deps, 'chains'>,
  { type }: Pick<WalletRow, 'type'>,
): ChainPort[] =>
  chains.enabled
    .flatMap((name) => chains.get(name) ?? [])
    .filter(({ family }) => family === familyOfWallet(type))
