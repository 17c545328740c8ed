'use client'

import { useMutation } from '@tanstack/react-query'
import { useSolanaWallets } from 'kassa'
import type { SolanaWallet } from 'kassa/solana'
import { useConnect, useConnection, useConnectors, useDisconnect } from 'wagmi'
import { useCheckoutShop } from './checkoutShop'
import { demoWalletId } from './demoWallet/demoWallet'
import { type ChainFamily, getFamily } from './networks'

/** A wallet to choose from. */
export type WalletChoice = {
  key: string
  name: string
  /** A picture as a data URL. */
  icon: string | undefined
  isDemo: boolean
  /** Whether the wallet is on another device. */
  isElsewhere: boolean
  /** Whether the wallet is being asked to connect. */
  isConnecting: boolean
  connect(): void
}

/** The wallets that can pay on a chain, and the connection to one of them. */
export type Wallets = {
  status: 'connected' | 'connecting' | 'reconnecting' | 'disconnected'
  /** The connected account. */
  address: string | undefined
  /** The connected wallet's name. */
  name: string | undefined
  /** Whether the demo wallet is connected. */
  isDemo: boolean
  choices: readonly WalletChoice[]
  /** Whether the buyer has chosen a wallet, which is being asked to connect. */
  isConnecting: boolean
  /** Why the last connection failed. */
  error: unknown
  disconnect(): void
  /** Changes the demo wallet's account. */
  switchAccount(): void
}

/** Whether a wallet of the buyer's is in this browser. */
export const hasOwn = ({ choices }: Wallets): boolean =>
  choices.some(({ isDemo, isElsewhere }) => !isDemo && !isElsewhere)

const useEvmChoices = (): Wallets => {
  const { status, address, connector } = useConnection()
  const connectors = useConnectors()
  const connect = useConnect()
  const disconnect = useDisconnect()
  const { demo } = useCheckoutShop()
  return {
    status,
    address,
    name: connector?.name,
    isDemo: connector?.id === demoWalletId,
    choices: connectors.map((known) => ({
      key: known.uid,
      name: known.name,
      icon: known.icon,
      isDemo: known.id === demoWalletId,
      isElsewhere: known.type === 'walletConnect',
      isConnecting: connect.isPending && connect.variables.connector === known,
      connect: () => connect.mutate({ connector: known }),
    })),
    isConnecting: connect.isPending,
    error: connect.error,
    disconnect: () => disconnect.mutate({}),
    switchAccount: () => void demo?.switchAccount(),
  }
}

const useSolanaChoices = (): Wallets => {
  const { status, address, wallet, wallets, connect, disconnect } = useSolanaWallets()
  const { solanaDemo } = useCheckoutShop()
  const connection = useMutation({ mutationFn: (chosen: SolanaWallet) => connect(chosen) })
  const isDemo = (known: SolanaWallet | undefined): boolean =>
    known !== undefined && known === solanaDemo?.wallet
  return {
    status,
    address,
    name: wallet?.name,
    isDemo: isDemo(wallet),
    choices: wallets
      .toSorted((one, other) => Number(isDemo(other)) - Number(isDemo(one)))
      .map((known, index) => ({
        key: `${index}:${known.name}`,
        name: known.name,
        icon: known.icon,
        isDemo: isDemo(known),
        isElsewhere: false,
        isConnecting: connection.isPending && connection.variables === known,
        connect: () => connection.mutate(known),
      })),
    isConnecting: connection.isPending,
    error: connection.error,
    disconnect: () => void disconnect().catch(() => undefined),
    switchAccount: () => void solanaDemo?.switchAccount(),
  }
}

/** Returns the wallets for the chains of a family. */
export const useFamilyWallets = (family: ChainFamily): Wallets => {
  const evm = useEvmChoices()
  const solana = useSolanaChoices()
  return family === 'solana' ? solana : evm
}

/**
 * Returns the wallets that can pay on a chain.
 *
 * @param method - The chain by the service's name.
 */
export const useWallets = (method: string | undefined): Wallets => useFamilyWallets(getFamily(method))
